"""docker/hub's configuration. Containers and accounts cannot be had here, so users have one
password, their servers are processes of this machine and the ports are free ones."""

import json
import os
from unittest.mock import patch

import pamela
from jupyterhub.auth import PAMAuthenticator

c = get_config()  # noqa: F821
test = json.load(open(os.environ["HUB_TEST"]))
load_subconfig(test["config"])  # noqa: F821


def check(username, password, **_):
    if password != test["password"]:
        raise pamela.PAMError("wrong")


pamela.authenticate, pamela.check_account = check, lambda username, **_: None
PAMAuthenticator.system_user_exists = lambda self, user: True
if test["before"]:
    # The teacher has been an admin before the configuration was the present one.
    c.Authenticator.admin_users = {"teacher"}
    c.Authenticator.allowed_users = set(test["users"])
    c.JupyterHub.load_roles = [role for role in c.JupyterHub.load_roles if role["name"] == "idle-culler"]

c.Spawner.default_url = ""
c.JupyterHub.spawner_class = "simple"
c.SimpleLocalProcessSpawner.home_dir_template = os.path.join(test["homes"], "{username}")
c.Spawner.cmd = [test["python"], "-m", "jupyterhub.singleuser", "--allow-root"]
c.Spawner.environment = {"PYTHONPATH": test["packages"], "JUPYTER_PREFER_ENV_PATH": "1"}
c.Spawner.mem_limit = c.Spawner.cpu_limit = None
c.JupyterHub.hub_ip = "127.0.0.1"
c.JupyterHub.hub_port = test["hub_port"]
c.ConfigurableHTTPProxy.command = test["proxy"]
c.ConfigurableHTTPProxy.api_url = test["proxy_api"]

if "MARGINALIA_ASSIGNMENTS" in os.environ:
    mount = c.Spawner.pre_spawn_hook

    def link(spawner):
        """Puts links into the user's home in place of mounts, and lists the mounts for the test."""
        spawner.volumes = {}
        with patch("os.chown"):  # servers run as the hub does
            mount(spawner)
        home = os.path.join(test["homes"], spawner.user.name)
        with open(home + ".json", "w") as f:
            json.dump(spawner.volumes, f)

        def here(path):
            return path.replace("/home/learner", home).replace("/srv", home + "/srv").replace("/opt/marginalia/docker", test["docker"])

        for source, target in spawner.volumes.items():
            at = here(target["bind"])
            os.makedirs(os.path.dirname(at), exist_ok=True)
            if not os.path.islink(at):
                os.symlink(source, at)
        spawner.environment = {key: here(value) for key, value in spawner.environment.items()}
        spawner.environment.update(test["environment"], PYTHONDONTWRITEBYTECODE="1", MARGINALIA_COMMAND=test["command"], MARGINALIA_ROOT=os.path.dirname(test["docker"]))

    c.Spawner.pre_spawn_hook = link
