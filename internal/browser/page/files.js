// A file system in memory, with the calls of Node.js that Go's package syscall makes
// (src/syscall/fs_js.go). Import it before wasm_exec.js.

/** @typedef {{bytes: Uint8Array<ArrayBuffer>, size: number, changed: number, load?: () => Promise<Uint8Array<ArrayBuffer>>}} File size is at most that of bytes, which grow by doubling; load brings the bytes of a file that is elsewhere */
/** @typedef {{write?: (data: Uint8Array<ArrayBuffer>) => Promise<void> | void, read?: (most: number) => Promise<Uint8Array> | Uint8Array}} Device */
/** @typedef {{path: string, at: number, append: boolean, file?: File, device?: Device, written: boolean}} Opened */

export const constants = { O_WRONLY: 1, O_RDWR: 2, O_CREAT: 64, O_EXCL: 128, O_TRUNC: 512, O_APPEND: 1024, O_DIRECTORY: 65536 };

export const files = /** @type {Map<string, File>} */ (new Map());
export const folders = new Set(["/", "/dev", "/tmp", "/home", "/go", "/build"]);
/** What paths lead to that are no files; 0, 1 and 2 are the standard streams. */
export const devices = /** @type {Map<string | number, Device>} */ (new Map([["/dev/null", {}]]));
/** Is called with the path of a file or folder that was made, changed or removed. */
export const hooks = { changed: /** @type {(path: string) => void} */ (() => {}) };

/** How many calls wait for a device. */
export const pending = { calls: 0 };

const opened = /** @type {Map<number, Opened>} */ (new Map());
let next = 3, cwd = "/";

/** @param {string[]} parts @returns {string} an absolute path without . and .. */
export function resolve(...parts) {
	let path = cwd;
	for (const part of parts) path = part.startsWith("/") ? part : `${path}/${part}`;
	const names = /** @type {string[]} */ ([]);
	for (const name of path.split("/")) {
		if (name === "..") names.pop();
		else if (name !== "" && name !== ".") names.push(name);
	}
	return "/" + names.join("/");
}

/** @param {string} path @returns {string} of the folder that has it */
const parent = (path) => path.slice(0, path.lastIndexOf("/")) || "/";

/** @param {string} code @returns {never} */
function fail(code) {
	throw Object.assign(new Error(code), { code });
}

/** Makes a folder and those that lead to it. @param {string} path */
export function makeFolder(path) {
	for (let at = resolve(path); !folders.has(at); at = parent(at)) folders.add(at);
}

/** @param {string} path @param {Uint8Array<ArrayBuffer>} bytes */
export function put(path, bytes) {
	makeFolder(parent(resolve(path)));
	files.set(resolve(path), { bytes, size: bytes.length, changed: Date.now() });
}

/** @param {string} path @returns {Uint8Array<ArrayBuffer> | undefined} */
export function get(path) {
	const file = files.get(resolve(path));
	return file?.bytes.subarray(0, file.size);
}

/** @param {File} file @param {number} size */
function grow(file, size) {
	if (size > file.bytes.length) {
		const bytes = new Uint8Array(Math.max(size, 2 * file.bytes.length));
		bytes.set(file.bytes.subarray(0, file.size));
		file.bytes = bytes;
	}
}

/** Does something behind the bytes of a file, which may be elsewhere. @template T @param {File | undefined} file @param {() => T} then @returns {T | Promise<T>} */
function behind(file, then) {
	if (!file?.load) return then();
	return file.load().then((bytes) => {
		if (file.load) Object.assign(file, { bytes, size: bytes.length, load: undefined });
		return then();
	});
}

/** @param {number} mode @param {File} [file] */
function describe(mode, file) {
	const ms = file?.changed ?? 0, size = file?.size ?? 0;
	return { dev: 0, ino: 0, mode, nlink: 1, uid: 0, gid: 0, rdev: 0, size, blksize: 4096, blocks: Math.ceil(size / 512), atimeMs: ms, mtimeMs: ms, ctimeMs: ms,
		isDirectory: () => mode === 0o40755 };
}

/** @param {string} name */
function stat(name) {
	const path = resolve(name), file = files.get(path);
	if (folders.has(path)) return describe(0o40755);
	if (file) return describe(0o100644, file);
	if (devices.has(path)) return describe(0o20666);
	return fail("ENOENT");
}

/** @param {number} fd @returns {Opened} */
function at(fd) {
	const device = devices.get(fd);
	return opened.get(fd) ?? (device ? { path: "", at: 0, append: false, device, written: false } : fail("EBADF"));
}

/** @param {string} path @returns {string[]} the names in a folder, sorted */
function names(path) {
	if (!folders.has(path)) fail(files.has(path) ? "ENOTDIR" : "ENOENT");
	const within = path === "/" ? "/" : path + "/";
	return [...files.keys(), ...folders].filter((p) => p !== "/" && p.startsWith(within) && !p.slice(within.length).includes("/")).map((p) => p.slice(within.length)).sort();
}

const calls = {
	/** @param {string} name @param {number} flags */
	open: (name, flags) => behind(flags & constants.O_TRUNC ? undefined : files.get(resolve(name)), () => calls.opened(name, flags)),
	/** @param {string} name @param {number} flags */
	opened(name, flags) {
		const path = resolve(name), device = devices.get(path), fd = next;
		let file = files.get(path);
		if (!file && !device && !folders.has(path)) {
			if (!(flags & constants.O_CREAT)) fail("ENOENT");
			if (!folders.has(parent(path))) fail("ENOENT");
			file = { bytes: new Uint8Array(0), size: 0, changed: Date.now() };
			files.set(path, file);
			hooks.changed(path);
		} else if (flags & constants.O_CREAT && flags & constants.O_EXCL) fail("EEXIST");
		if (folders.has(path) && flags & 3) fail("EISDIR");
		if (file && flags & constants.O_TRUNC) Object.assign(file, { size: 0, load: undefined });
		opened.set(fd, { path, at: 0, append: !!(flags & constants.O_APPEND), file, device, written: !!(flags & constants.O_TRUNC) });
		next++;
		return fd;
	},
	/** @param {number} fd */
	close(fd) {
		const o = at(fd);
		opened.delete(fd);
		if (o.written && o.file && files.get(o.path) === o.file) hooks.changed(o.path);
	},
	/** @param {number} fd @param {Uint8Array} buffer @param {number} offset @param {number} length @param {number | null} position */
	write(fd, buffer, offset, length, position) {
		const o = at(fd), data = buffer.slice(offset, offset + length);
		if (o.device) {
			const room = o.device.write?.(data);
			return room ? room.then(() => length) : length;
		}
		const file = o.file ?? fail("EISDIR"), from = position ?? (o.append ? file.size : o.at);
		grow(file, from + length);
		if (from > file.size) file.bytes.fill(0, file.size, from);
		file.bytes.set(data, from);
		[file.size, file.changed, o.written] = [Math.max(file.size, from + length), Date.now(), true];
		if (position === null) o.at = from + length;
		return length;
	},
	/** @param {number} fd @param {Uint8Array} buffer @param {number} offset @param {number} length @param {number | null} position */
	read(fd, buffer, offset, length, position) {
		const o = at(fd);
		if (o.device) {
			const fill = (/** @type {Uint8Array} */ data) => (buffer.set(data, offset), data.length);
			const data = o.device.read?.(length) ?? new Uint8Array(0);
			return data instanceof Promise ? data.then(fill) : fill(data);
		}
		const file = o.file ?? fail("EISDIR"), from = position ?? o.at;
		const data = file.bytes.subarray(from, Math.min(from + length, file.size));
		buffer.set(data, offset);
		if (position === null) o.at += data.length;
		return data.length;
	},
	/** @param {number} fd */
	fstat: (fd) => {
		const o = at(fd);
		return o.file ? describe(0o100644, o.file) : o.device ? describe(0o20666) : describe(0o40755);
	},
	stat, lstat: stat,
	/** @param {string} path */
	readdir: (path) => names(resolve(path)),
	/** @param {string} name */
	mkdir(name) {
		const path = resolve(name);
		if (folders.has(path) || files.has(path)) fail("EEXIST");
		if (!folders.has(parent(path))) fail("ENOENT");
		folders.add(path);
		hooks.changed(path);
	},
	/** @param {string} name */
	rmdir(name) {
		const path = resolve(name);
		if (names(path).length > 0) fail("ENOTEMPTY");
		folders.delete(path);
		hooks.changed(path);
	},
	/** @param {string} name */
	unlink(name) {
		const path = resolve(name);
		if (!files.delete(path)) fail(folders.has(path) ? "EISDIR" : "ENOENT");
		hooks.changed(path);
	},
	/** @param {string} from @param {string} to */
	rename: (from, to) => behind(files.get(resolve(from)), () => calls.renamed(from, to)),
	/** @param {string} from @param {string} to */
	renamed(from, to) {
		const [a, b] = [resolve(from), resolve(to)], file = files.get(a) ?? fail(folders.has(a) ? "ENOSYS" : "ENOENT");
		if (!folders.has(parent(b))) fail("ENOENT");
		files.set(b, file);
		files.delete(a);
		hooks.changed(a);
		hooks.changed(b);
	},
	/** @param {File | undefined} file @param {number} size */
	resize(file, size) {
		if (!file) return fail("ENOENT");
		grow(file, size);
		if (size > file.size) file.bytes.fill(0, file.size, size);
		file.size = size;
	},
	/** @param {string} name @param {number} size */
	truncate: (name, size) => behind(files.get(resolve(name)), () => calls.resize(files.get(resolve(name)), size)),
	/** @param {number} fd @param {number} size */
	ftruncate: (fd, size) => calls.resize(at(fd).file, size),
	chmod() {}, fchmod() {}, chown() {}, fchown() {}, lchown() {}, utimes() {}, fsync() {},
	readlink: () => fail("EINVAL"), link: () => fail("ENOSYS"), symlink: () => fail("ENOSYS"),
};

/** @param {(...args: any[]) => unknown} call @returns {(...args: any[]) => void} the same with Node's callback */
function withCallback(call) {
	return (...args) => {
		const called = args.pop();
		let result;
		try {
			result = call(...args);
		} catch (why) {
			called(why);
			return;
		}
		if (!(result instanceof Promise)) {
			called(null, result);
			return;
		}
		pending.calls++;
		result.catch((why) => why).then((value) => {
			pending.calls--;
			if (value instanceof Error) called(value);
			else called(null, value);
		});
	};
}

/** Makes a folder the current one. @param {string} name */
export function enter(name) {
	cwd = folders.has(resolve(name)) ? resolve(name) : fail("ENOENT");
}

const fs = /** @type {Record<string, unknown>} */ ({ constants, writeSync: (/** @type {number} */ fd, /** @type {Uint8Array} */ data) => calls.write(fd, data, 0, data.length, null) });
for (const [name, call] of Object.entries(calls)) fs[name] = withCallback(call);
const none = () => fail("ENOSYS");
Object.assign(globalThis, {
	fs, path: { resolve },
	process: {
		pid: 1, ppid: 0, getuid: () => 0, getgid: () => 0, geteuid: () => 0, getegid: () => 0, getgroups: none, umask: none,
		cwd: () => cwd,
		chdir: enter,
	},
});
