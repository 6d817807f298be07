"""The processes behind the server, and how requests reach them in batches."""
