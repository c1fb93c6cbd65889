"""Small programs that read a camera in a process of their own, so that a hanging driver can be killed."""
