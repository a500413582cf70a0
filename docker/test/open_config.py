"""Takes away what docker/hub's configuration protects a class with, for a test that sees
whether the attackers of attack_linux_test.go then get through: one that does not tests nothing."""

import json
import os

from jupyterhub.apihandlers import APIHandler
from jupyterhub.auth import PAMAuthenticator
from jupyterhub.handlers import BaseHandler

c = get_config()  # noqa: F821
test = json.load(open(os.environ["HUB_TEST"]))
c.JupyterHub.authenticator_class = PAMAuthenticator
c.Authenticator.allow_all = True
c.Authenticator.any_allow_config = True
c.JupyterHub.subdomain_host = ""
c.JupyterHub.cookie_host_prefix_enabled = False
c.JupyterHub.bind_url = "http://0.0.0.0:" + os.environ["MARGINALIA_PORT"]
c.ConfigurableHTTPProxy.api_url = test["proxy_api"].replace("127.0.0.1", "0.0.0.0")
c.ConfigurableHTTPProxy.auth_token = ""
for handler in BaseHandler, APIHandler:
    handler.check_xsrf_cookie = lambda self: None
BaseHandler._validate_next_url = lambda self, url: url
c.JupyterHub.allow_named_servers = True
c.JupyterHub.tornado_settings = {"headers": {"Content-Security-Policy": ""}}
everything = [
    "admin-ui", "admin:users", "admin:servers", "admin:groups", "admin:services", "access:servers",
    "tokens", "shares", "users:shares", "proxy", "read:hub", "shutdown", "read:roles",
]
c.JupyterHub.load_roles = [
    {"name": "user", "scopes": ["self", *everything]},
    {"name": "server", "scopes": ["inherit", "users:activity!user", "access:servers!server"]},
]
c.JupyterHub.services = []
c.Spawner.args = ["--ServerApp.disable_check_xsrf=True", "--ServerApp.allow_origin=*"]
c.Spawner.env_keep = ["MARGINALIA_USERS"]
c.Spawner.server_token_scopes = ["inherit"]
c.Spawner.mem_limit = None
c.Spawner.cpu_limit = None
c.DockerSpawner.allowed_images = "*"
c.DockerSpawner.remove = False
c.DockerSpawner.network_name = "bridge"
c.DockerSpawner.volumes = {"/srv/homes": "/homes", "/var/run/docker.sock": "/var/run/docker.sock"}
c.DockerSpawner.mounts = [{"type": "volume", "source": "homes", "target": "/home/learner"}]
c.DockerSpawner.extra_host_config = {"privileged": True, "cap_add": ["NET_RAW"], "pid_mode": "host", "port_bindings": {8888: 8888}, "devices": ["/dev/sda:/dev/sda:rwm"]}
