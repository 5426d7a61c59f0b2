"""Tests against whole processes: the server as it is started, a model server, real sockets."""
