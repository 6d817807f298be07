"""Where jobs run: in this process, in several processes of this machine, or as tasks of a Ray cluster."""
