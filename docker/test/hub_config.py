"""docker/hub's configuration as it is, but for a user database: one password for all. Without
Docker, it starts containers by runc, and they share the machine's network, so that the hub
reaches them."""

import asyncio
import json
import os
import subprocess

from jupyterhub.spawner import Spawner
from jupyterhub.utils import random_port

c = get_config()  # noqa: F821
test = json.load(open(os.environ["HUB_TEST"]))
load_subconfig(test["config"])  # noqa: F821

# The settings for Docker are those that its spawner knows.
from dockerspawner import DockerSpawner  # noqa: E402

unknown = set(c.DockerSpawner) - set(DockerSpawner.class_trait_names())
assert not unknown, f"DockerSpawner has no {unknown}"
assert c.JupyterHub.spawner_class == "docker"
read_only = c.DockerSpawner.read_only_volumes


class RuncSpawner(Spawner):
    """Starts a container as Go's part of the test has described it."""

    def container(self):
        return f"{test['id']}-{self.user.name}"

    def runc(self, *args):
        return ["runc", "--root", test["state"], *args]

    async def start(self):
        self.port = random_port()
        bundle = os.path.join(test["dir"], "bundle-" + self.user.name)
        home = os.path.join(test["dir"], "home-" + self.user.name)
        os.makedirs(bundle, exist_ok=True)
        if not os.path.isdir(home):
            os.mkdir(home, 0o700)
            os.chown(home, test["uid"], test["gid"])
        spec = json.loads(json.dumps(test["spec"]).replace("HOME-OF-USER", home))
        spec["process"]["env"] += [f"{k}={v}" for k, v in self.get_env().items()]
        spec["process"]["args"] += self.cmd + self.get_args()
        spec["linux"]["resources"]["memory"]["limit"] = self.mem_limit
        spec["mounts"] += [
            {"destination": inside, "source": folder, "type": "bind", "options": ["bind", "ro", "nosuid", "nodev"]}
            for folder, inside in read_only.items()]
        with open(os.path.join(bundle, "config.json"), "w") as f:
            json.dump(spec, f)
        log = open(os.path.join(test["dir"], self.user.name + ".log"), "a")
        process = subprocess.Popen(
            self.runc("run", "--bundle", bundle, self.container()), stdin=subprocess.DEVNULL, stdout=log, stderr=log)
        while process.poll() is None and await self.poll() is not None:
            await asyncio.sleep(0.1)
        return "127.0.0.1", self.port

    # A container outlives a hub that is killed, and the next one asks for it, as with Docker.
    async def poll(self):
        said = subprocess.run(self.runc("state", self.container()), capture_output=True).stdout
        return None if said and json.loads(said)["status"] != "stopped" else 0

    async def stop(self, now=False):
        subprocess.run(self.runc("kill", self.container(), "KILL" if now else "TERM"), capture_output=True)
        for _ in range(100):
            if await self.poll() is not None:
                break
            await asyncio.sleep(0.1)
        subprocess.run(self.runc("delete", "--force", self.container()), capture_output=True)


if "spec" in test:
    c.JupyterHub.spawner_class = RuncSpawner
    c.JupyterHub.hub_ip = "127.0.0.1"
    c.JupyterHub.hub_port = test["hub_port"]
    c.ConfigurableHTTPProxy.api_url = test["proxy_api"]
c.Spawner.env_keep = []
c.Spawner.default_url = ""
c.JupyterHub.authenticator_class = "dummy"
c.DummyAuthenticator.password = test["password"]
c.ConfigurableHTTPProxy.command = test["proxy"]
c.JupyterHub.cleanup_servers = True
c.JupyterHub.services.append({"name": "class", "api_token": test["token"]})
c.JupyterHub.load_roles.append({"name": "class", "services": ["class"], "scopes": ["admin:users", "admin:servers", "access:servers"]})
