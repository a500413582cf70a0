"""JupyterHub for a class on one machine: a container of the course for each user.

Needs Docker and the image of docker/hub/Dockerfile. The environment says what
differs from place to place:

MARGINALIA_USERS    a file with the names of those who may enter, one a line; a name
                    with a * behind it is a teacher's, who may start and stop servers
MARGINALIA_COURSE   a folder that every user gets as course/, where it is theirs to
                    change; the folder itself is never written to
MARGINALIA_IMAGE    the image (marginalia-hub:local)
MARGINALIA_MEMORY   what a user may take (2G)
MARGINALIA_CPUS     the same of processors (1)
MARGINALIA_IDLE     a server is stopped when nothing has happened in it for so many
                    seconds (3600)
MARGINALIA_HUB_IP   this machine's address in the network of the containers (172.30.0.1)
"""

import os
import sys

c = get_config()  # noqa: F821

# Who they are is asked of the machine (PAM) unless you set another authenticator.
names = open(os.environ["MARGINALIA_USERS"]).read().split()
c.Authenticator.allowed_users = {n.rstrip("*") for n in names}
c.Authenticator.admin_users = {n.rstrip("*") for n in names if n.endswith("*")}
c.JupyterHub.admin_access = False  # teachers see who is there, not what they wrote

# A container each, closed as README.md says, with a volume each for the home.
c.JupyterHub.spawner_class = "docker"
c.DockerSpawner.image = os.environ.get("MARGINALIA_IMAGE", "marginalia-hub:local")
c.DockerSpawner.volumes = {"home-{username}": "/home/learner"}
if "MARGINALIA_COURSE" in os.environ:
    c.DockerSpawner.read_only_volumes = {os.environ["MARGINALIA_COURSE"]: "/opt/course"}
c.DockerSpawner.network_name = "course"
c.JupyterHub.hub_ip = os.environ.get("MARGINALIA_HUB_IP", "172.30.0.1")
c.DockerSpawner.use_internal_ip = True
c.DockerSpawner.remove = True
c.DockerSpawner.extra_host_config = {
    "read_only": True,
    "tmpfs": {"/tmp": "exec,nosuid,nodev,mode=1777,size=1g"},
    "cap_drop": ["ALL"],
    "security_opt": ["no-new-privileges:true"],
    "pids_limit": 512,
}
c.Spawner.cmd = ["jupyterhub-singleuser"]
c.Spawner.default_url = "/lab/tree/lectures/00-index.ipynb"
c.Spawner.mem_limit = os.environ.get("MARGINALIA_MEMORY", "2G")
c.Spawner.cpu_limit = float(os.environ.get("MARGINALIA_CPUS", "1"))
# A class comes all at once: so many start together, the others wait their turn.
c.JupyterHub.concurrent_spawn_limit = 10
c.Spawner.start_timeout = 120
c.Spawner.http_timeout = 120

# The server of somebody who does nothing is stopped; the volume stays.
c.JupyterHub.services = [{
    "name": "idle-culler",
    "command": [sys.executable, "-m", "jupyterhub_idle_culler", "--timeout=" + os.environ.get("MARGINALIA_IDLE", "3600")],
}]
c.JupyterHub.load_roles = [{
    "name": "idle-culler",
    "scopes": ["list:users", "read:users:activity", "read:servers", "delete:servers"],
    "services": ["idle-culler"],
}]
