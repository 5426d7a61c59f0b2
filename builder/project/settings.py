"""Settings of the project; everything that may differ between places comes from the environment.

Embedded (the default): SQLite and the keys live in `var/` beside `manage.py`. Scaled:
`DATABASE_URL` names PostgreSQL. `docs/settings.md` lists every variable that is read.
"""

from __future__ import annotations

from pathlib import Path

from csp.constants import NONCE, NONE, SELF
from django.core.exceptions import ImproperlyConfigured
from django.templatetags.static import static

from builder.base import environment as env

BASE_DIR = Path(__file__).resolve().parents[2]
VAR_DIR = env.own_folder(Path(env.text("GRAPHWRIGHT_VAR", str(BASE_DIR / "var"))))
"""The folder with the embedded database and the keys; by default `var` beside `manage.py`."""
STATIC_ROOT = BASE_DIR / "static" / "collected"
STATIC_ROOT.mkdir(parents=True, exist_ok=True)

DEBUG = env.flag("DEBUG")
"""Whether errors show their inner life and pages are read anew; never where others can reach it."""
SECRET_KEY = env.text("SECRET_KEY") or env.kept_secret(VAR_DIR / "secret_key")
"""Signs sessions and links. By default made at the first start and kept in `secret_key` in the folder;
changing it signs everybody out."""
CREDENTIALS_KEY = env.text("CREDENTIALS_KEY") or env.kept_secret(VAR_DIR / "credentials_key")
"""Seals credentials in the database. By default made at the first start and kept in `credentials_key`
in the folder; without it no credential can be read again."""

PORT = env.number("PORT", 8000)
"""The port at which `serve` listens unless `--port` names another."""
HTTPS = env.flag("HTTPS")
"""Whether people reach the app by HTTPS, through a proxy: cookies become secure, and addresses without
port begin with `https`."""
ALLOWED_HOSTS = env.words("ALLOWED_HOSTS", "localhost,127.0.0.1,[::1]")
"""The names by which the app may be called, each exactly."""
if any("*" in host or host.startswith(".") for host in ALLOWED_HOSTS):
    raise ImproperlyConfigured("ALLOWED_HOSTS must name hosts exactly: patterns admit any site")
SCHEME = "https" if HTTPS else "http"
ORIGINS_GIVEN = env.words("ORIGINS")
"""Full origins (scheme, host, port) from which a page may open the websocket; by default
`ALLOWED_HOSTS` at the port that is served."""
ORIGINS = ORIGINS_GIVEN or env.origins(ALLOWED_HOSTS, PORT, https=HTTPS)
PUBLIC_URL = env.address("PUBLIC_URL")
"""Where people find the app, behind a proxy above all: links in mails begin with it."""

INSTALLED_APPS = [
    "unfold",
    "django.contrib.admin",
    "django.contrib.auth",
    "django.contrib.contenttypes",
    "django.contrib.sessions",
    "django.contrib.messages",
    "whitenoise.runserver_nostatic",
    "django.contrib.staticfiles",
    "channels",
    "csp",
    "django_vite",
    "rest_framework",
    "drf_spectacular",
    "allauth",
    "allauth.account",
    "allauth.headless",
    "allauth.mfa",
    "builder.project.app.BuilderConfig",
]

MIDDLEWARE = [
    "builder.project.middleware.RequestIds",
    "django.middleware.security.SecurityMiddleware",
    "builder.project.static_files.BuiltFiles",
    "csp.middleware.CSPMiddleware",
    "builder.project.middleware.SecurityHeaders",
    "django.contrib.sessions.middleware.SessionMiddleware",
    "django.middleware.common.CommonMiddleware",
    "django.middleware.csrf.CsrfViewMiddleware",
    "django.contrib.auth.middleware.AuthenticationMiddleware",
    "allauth.account.middleware.AccountMiddleware",
    "builder.project.middleware.AdminDoor",
    "django.contrib.messages.middleware.MessageMiddleware",
    "django.middleware.clickjacking.XFrameOptionsMiddleware",
]

SILENCED_SYSTEM_CHECKS = [
    "django_vite.W001",  # the page itself says what to build
    "security.W005",  # HSTS_SUBDOMAINS and HSTS_PRELOAD are the operator's decisions
    "security.W021",
]
ROOT_URLCONF = "builder.project.urls"
ASGI_APPLICATION = "builder.project.asgi.application"
AUTH_USER_MODEL = "builder.User"
DEFAULT_AUTO_FIELD = "django.db.models.BigAutoField"

TEMPLATES = [
    {
        "BACKEND": "django.template.backends.django.DjangoTemplates",
        "DIRS": [BASE_DIR / "templates"],
        "APP_DIRS": True,
        "OPTIONS": {
            "context_processors": [
                "django.template.context_processors.request",
                "django.contrib.auth.context_processors.auth",
                "django.contrib.messages.context_processors.messages",
                "csp.context_processors.nonce",
            ]
        },
    }
]

DATABASE_URL = env.text("DATABASE_URL")
"""PostgreSQL as `postgresql://user:password@host:port/name`; without it, SQLite in the folder."""
DATABASE_POOL = env.number("DATABASE_POOL", 20)
"""How many connections to PostgreSQL are kept at most."""
DATABASES = {
    "default": env.database(DATABASE_URL, VAR_DIR / "graphwright.sqlite3", pool_size=DATABASE_POOL)
}
AUDIT_GUARD = True
"""Whether migrations add the triggers that keep the audit log append-only; tests empty tables."""

PASSWORD_HASHERS = ["builder.project.hashers.FewAtOnce"]
PASSWORD_RESET_TIMEOUT = 3600
LOGIN_URL, LOGIN_REDIRECT_URL = "/sign-in", "/"
AUTH_PASSWORD_VALIDATORS = [
    {"NAME": "django.contrib.auth.password_validation.UserAttributeSimilarityValidator"},
    {
        "NAME": "django.contrib.auth.password_validation.MinimumLengthValidator",
        "OPTIONS": {"min_length": 10},
    },
    {"NAME": "django.contrib.auth.password_validation.CommonPasswordValidator"},
    {"NAME": "builder.services.audit.password_watch.PasswordWatch"},
]

HEADLESS_ONLY = True
HEADLESS_CLIENTS = ("browser",)
ACCOUNT_USER_MODEL_USERNAME_FIELD = None
ACCOUNT_LOGIN_METHODS = {"email"}
ACCOUNT_SIGNUP_FIELDS = ["email*", "password1*"]
ACCOUNT_EMAIL_VERIFICATION = "none"
ACCOUNT_EMAIL_NOTIFICATIONS = False
ACCOUNT_RATE_LIMITS = MFA_RATE_LIMITS = False
ACCOUNT_REAUTHENTICATION_TIMEOUT = 300
MFA_ADAPTER = "builder.services.people.sign_in.adapter.FactorAdapter"
MFA_SUPPORTED_TYPES = ["totp", "recovery_codes", "webauthn"]
MFA_PASSKEY_LOGIN_ENABLED = True
MFA_TOTP_TOLERANCE = 1
"""A code of the half minute before or after counts, too: clocks of phones go wrong."""

LANGUAGE_CODE = "en-us"
TIME_ZONE = "UTC"
USE_I18N = False
USE_TZ = True

ARCHIVE_DIR = env.text("ARCHIVE_DIR", str(VAR_DIR / "archive"))
"""The folder of archived runs, by default `archive` in the folder. Several machines share it, as they share
the database: whoever shows an archived run reads its file."""
SQLITE_SYNCHRONOUS = env.text("SQLITE_SYNCHRONOUS", "FULL")
"""FULL survives power loss; NORMAL is faster and may lose the last commits then."""
EGRESS_ALLOW = env.words("EGRESS_ALLOW", "")
"""Origins on private addresses that may be reached, such as `http://127.0.0.1:9000`. `model=http://…` is for models
alone; `node`, `tool`, `notice`, `identity`, `mail` and `ssh` are the other purposes, `tcp://…` what is no HTTP.
Where processes run apart it is the only list that opens private addresses."""

EMAIL_HOST = env.text("EMAIL_HOST")
"""The mail server. With it, people are told by mail of what waits for them."""
EMAIL_BACKEND = env.text("EMAIL_BACKEND") or (
    f"django.core.mail.backends.{'smtp' if EMAIL_HOST else 'dummy'}.EmailBackend"
)
"""A mail backend of Django by its path; by default SMTP with `EMAIL_HOST`, else none."""
EMAIL_PORT = env.number("EMAIL_PORT", 25)
"""The port of the mail server."""
EMAIL_HOST_USER = env.text("EMAIL_HOST_USER")
"""Who signs in to the mail server; nobody without it."""
EMAIL_HOST_PASSWORD = env.text("EMAIL_HOST_PASSWORD")
"""With which password."""
EMAIL_USE_TLS = env.flag("EMAIL_USE_TLS")
"""Whether the connection to the mail server is encrypted by STARTTLS."""
EMAIL_TIMEOUT = 20
DEFAULT_FROM_EMAIL = env.text("DEFAULT_FROM_EMAIL", "graphwright@localhost")
"""The address that mails come from."""
MAIL = not EMAIL_BACKEND.endswith(".dummy.EmailBackend")
"""Whether people are told by mail of what waits for them: with `EMAIL_HOST` or a backend."""

MCP_CONFIG = env.text("MCP_CONFIG", str(VAR_DIR / "mcp.json"))
"""The file of the operator's MCP servers, by default `mcp.json` in the folder; the form is told at the
top of `builder/adapters/tools/toolset.py`."""

STATIC_URL = "static/"
FILE_UPLOAD_PERMISSIONS, FILE_UPLOAD_DIRECTORY_PERMISSIONS = 0o644, 0o755
"""Modes of what `collectstatic` writes: a web server beside this one reads it."""
FRONTEND_BUILD = BASE_DIR / "static" / "build"
KEPT_BUILDS = VAR_DIR / "builds"
"""Where the page's files of this version and of those before it are found by all processes."""
STATICFILES_DIRS = [("brand", BASE_DIR / "static" / "brand")]
if FRONTEND_BUILD.is_dir():
    STATICFILES_DIRS.append(("build", FRONTEND_BUILD))
WHITENOISE_USE_FINDERS = True
WHITENOISE_AUTOREFRESH = DEBUG
VITE_DEV = env.flag("VITE_DEV")
"""Whether pages come from the front end's development server."""
VITE_PORT = env.number("VITE_PORT", 5173)
"""The port of that server."""
DJANGO_VITE = {
    "default": {
        "dev_mode": VITE_DEV,
        "dev_server_port": VITE_PORT,
        "manifest_path": FRONTEND_BUILD / "manifest.json",
        "static_url_prefix": "build",
    }
}

SESSION_ENGINE = "builder.services.people.sign_in.sessions"
SESSION_COOKIE_HTTPONLY = True
SESSION_COOKIE_SAMESITE = "Lax"
SESSION_COOKIE_SECURE = CSRF_COOKIE_SECURE = HTTPS
SESSION_COOKIE_NAME = "__Host-session" if HTTPS else "graphwright_session"
CSRF_COOKIE_NAME = "__Host-csrf" if HTTPS else "graphwright_csrf"
CSRF_COOKIE_SAMESITE = "Lax"
CSRF_COOKIE_HTTPONLY = True
CSRF_FAILURE_VIEW = "builder.project.views.csrf_failure"
CSRF_TRUSTED_ORIGINS = ORIGINS
SECURE_HSTS_SECONDS = 31_536_000 if HTTPS else 0
SECURE_HSTS_INCLUDE_SUBDOMAINS = env.flag("HSTS_SUBDOMAINS")
"""Whether browsers must use HTTPS for all names below ours too, for a year: the domain's owner says so."""
SECURE_HSTS_PRELOAD = env.flag("HSTS_PRELOAD")
"""Whether browsers may list our name for HTTPS in advance, for good: the domain's owner says so."""
SECURE_SSL_REDIRECT = HTTPS
BEHIND_PROXY = env.flag("BEHIND_PROXY")
"""Whether a proxy stands in front, whose word on scheme and address of callers is believed."""
SECURE_PROXY_SSL_HEADER = ("HTTP_X_FORWARDED_PROTO", "https") if BEHIND_PROXY else None
SECURE_REFERRER_POLICY = "same-origin"
SECURE_CROSS_ORIGIN_OPENER_POLICY = "same-origin"
X_FRAME_OPTIONS = "DENY"

CONTENT_SECURITY_POLICY = {
    "EXCLUDE_URL_PREFIXES": ["/admin/"],
    "DIRECTIVES": {
        "default-src": [NONE],
        "script-src": [NONCE, SELF],
        "style-src": [SELF, NONCE],
        "style-src-attr": ["'unsafe-inline'"],
        "img-src": [SELF, "data:"],
        "font-src": [SELF],
        "connect-src": [SELF, *env.socket_origins(ORIGINS)],
        "worker-src": [SELF],
        "manifest-src": [SELF],
        "frame-ancestors": [NONE],
        "base-uri": [NONE],
        "form-action": [SELF],
        "object-src": [NONE],
    },
}

DATA_UPLOAD_MAX_MEMORY_SIZE = 6 * 1024 * 1024
RUNS_AT_ONCE = env.number("RUNS_AT_ONCE", 0)
"""How many runs of one workspace may move at once, whatever it sets itself; the others wait in a queue. 0 is no limit."""
DRAIN_SECONDS = env.number("DRAIN_SECONDS", 30)
"""How long a process that is told to end waits for calls under way. What kills it after a while must wait longer; a second signal ends it at once."""
API_PACE = env.number("API_PACE", 6_000)
"""How many requests a minute one person, or one API token, may make, of all web processes together; a sixth of that at once. 0 is no limit."""
REST_FRAMEWORK = {
    "DEFAULT_AUTHENTICATION_CLASSES": [
        "builder.api.http.authentication.BearerAuthentication",
        "builder.api.http.authentication.SessionAuthentication",
    ],
    "DEFAULT_PERMISSION_CLASSES": ["rest_framework.permissions.IsAuthenticated"],
    "DEFAULT_PARSER_CLASSES": ["builder.api.http.parsers.StrictJsonParser"],
    "DEFAULT_RENDERER_CLASSES": ["builder.api.http.renderers.JsonRenderer"],
    "DEFAULT_SCHEMA_CLASS": "builder.api.http.schema.api_schema.ApiSchema",
    "DEFAULT_THROTTLE_CLASSES": ["builder.api.http.caller_pace.CallerPace"],
    "EXCEPTION_HANDLER": "builder.api.http.errors.handle_exception",
    "URL_FORMAT_OVERRIDE": None,
    "UNAUTHENTICATED_USER": "django.contrib.auth.models.AnonymousUser",
}
SPECTACULAR_SETTINGS = {
    "TITLE": "Graphwright",
    "VERSION": "1",
    "SERVE_INCLUDE_SCHEMA": False,
    "SERVE_PERMISSIONS": ["rest_framework.permissions.AllowAny"],
    "OAS_VERSION": "3.1.1",
    "ENUM_NAME_OVERRIDES": {
        "ChannelKindEnum": [
            *("mail", "slack", "teams", "discord", "telegram", "ntfy", "webhook"),
        ],
        "NoticeWhenEnum": ["at_once", "hourly", "daily"],
        "OnlyTrueEnum": ["true"],
        "TrueOrFalseEnum": ["true", "false"],
        "VerdictEnum": ["approved", "rejected"],
        "RoleEnum": ["viewer", "author", "reviewer", "operator", "admin"],
    },
}
UNFOLD = {
    "SITE_TITLE": "Graphwright",
    "SITE_HEADER": "Graphwright",
    "SITE_ICON": lambda _request: static("brand/icon.svg"),
    "SITE_FAVICONS": [
        {
            "rel": "icon",
            "type": "image/svg+xml",
            "href": lambda _request: static("brand/icon.svg"),
        }
    ],
    "STYLES": [lambda _request: static("brand/admin.css")],
    "DASHBOARD_CALLBACK": "builder.admin.tables.dashboard",
    "SIDEBAR": {"navigation": "builder.admin.navigation.navigation"},
    "COLORS": {
        "primary": {  # around the accent of the pages: frontend/src/app/look/theme.css
            "50": "#f5f5fe",
            "100": "#ecebfd",
            "200": "#dad9fa",
            "300": "#bebcf6",
            "400": "#9593f0",
            "500": "#7371e2",
            "600": "#5451d0",
            "700": "#4643b1",
            "800": "#39378f",
            "900": "#2f2e71",
            "950": "#1c1b45",
        }
    },
}

METRICS_TOKEN = env.text("METRICS_TOKEN")
"""The bearer token with which `/metrics` is read; without it, only this machine itself may read it."""

TRACES_TO = env.address("OTEL_EXPORTER_OTLP_ENDPOINT")
"""The OpenTelemetry collector that gets the trace of each run that ends, by HTTP, such as
`http://127.0.0.1:4318`; none without it. Headers are those of `OTEL_EXPORTER_OTLP_HEADERS`."""
LOG_LEVEL = env.text("LOG_LEVEL", "INFO")
"""What is logged: `DEBUG`, `INFO`, `WARNING` or `ERROR`, and what is graver."""
LOG_FORMAT = env.text("LOG_FORMAT", "line").lower()
"""How it is logged: `line` for people, `json` for what collects logs, with the ids of run, node and request."""
if LOG_FORMAT not in ("line", "json"):
    raise ImproperlyConfigured(f"LOG_FORMAT={LOG_FORMAT!r} is neither line nor json")
LOGGING = {
    "version": 1,
    "disable_existing_loggers": False,
    "formatters": {
        "line": {"format": "%(asctime)s %(levelname)s %(name)s %(message)s"},
        "json": {"()": "builder.project.json_logs.JsonLines"},
    },
    "handlers": {"stderr": {"class": "logging.StreamHandler", "formatter": LOG_FORMAT}},
    "loggers": {  # these tell of themselves, nothing of ours
        "daphne.server": {"level": "WARNING"},
        "mcp.server": {"level": "WARNING"},
    },
    "root": {"handlers": ["stderr"], "level": LOG_LEVEL.upper()},
}
