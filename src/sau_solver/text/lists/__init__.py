"""Files and pasted texts with several problems -> the problems, one by one."""
