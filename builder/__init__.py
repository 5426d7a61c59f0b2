"""The Django project and its one app: models, services, API, sockets, admin."""
