// Inflates LZMA: the format .lzma of Igor Pavlov's LZMA SDK ("LZMA specification", 2015, whose names
// stand here), which makes the tools a third smaller than deflate does.

const top = 2 ** 24, bits = 11, half = 1 << (bits - 1), move = 5;
const firstLengths = 4, endOfDirect = 14, alignBits = 4, smallestMatch = 2;

/** @param {number} n @returns {Uint16Array} probabilities of one half */
const probabilities = (n) => new Uint16Array(n).fill(half);

/** Decodes bits by the range coder. */
class Range {
	/** The range and the code: in an array, since V8 keeps a whole number of 32 bits as a float where it is a field. */
	now = new Uint32Array(2);

	/** @param {Uint8Array} from @param {number} at */
	constructor(from, at) {
		this.from = from;
		this.at = at + 5;
		this.now[0] = 0xffffffff;
		this.now[1] = from[at + 1] << 24 | from[at + 2] << 16 | from[at + 3] << 8 | from[at + 4];
	}

	/** @param {Uint16Array} probs @param {number} i */
	bit(probs, i) {
		const { now } = this, p = probs[i], bound = Math.imul(now[0] >>> bits, p) >>> 0;
		let bit = 0;
		if (now[1] < bound) {
			now[0] = bound;
			probs[i] = p + (((1 << bits) - p) >> move);
		} else {
			now[1] -= bound;
			now[0] -= bound;
			probs[i] = p - (p >> move);
			bit = 1;
		}
		if (now[0] < top) {
			now[0] <<= 8;
			now[1] = now[1] << 8 | this.from[this.at++];
		}
		return bit;
	}

	/** @param {number} n */
	direct(n) {
		const { now } = this;
		let value = 0;
		for (; n > 0; n--) {
			now[0] >>>= 1;
			const one = now[1] >= now[0] ? 1 : 0;
			if (one) now[1] -= now[0];
			value = value << 1 | one;
			if (now[0] < top) {
				now[0] <<= 8;
				now[1] = now[1] << 8 | this.from[this.at++];
			}
		}
		return value >>> 0;
	}

	/** @param {Uint16Array} probs @param {number} offset @param {number} n */
	tree(probs, offset, n) {
		let m = 1;
		for (let i = 0; i < n; i++) m = m << 1 | this.bit(probs, offset + m);
		return m - (1 << n);
	}

	/** The same from the lowest bit on. @param {Uint16Array} probs @param {number} offset @param {number} n */
	reverseTree(probs, offset, n) {
		let m = 1, value = 0;
		for (let i = 0; i < n; i++) {
			const bit = this.bit(probs, offset + m);
			m = m << 1 | bit;
			value |= bit << i;
		}
		return value;
	}
}

/** Decodes the lengths of matches. */
class Lengths {
	choice = probabilities(2);
	low = probabilities(16 << 3);
	mid = probabilities(16 << 3);
	high = probabilities(256);

	/** @param {Range} r @param {number} posState */
	decode(r, posState) {
		if (!r.bit(this.choice, 0)) return r.tree(this.low, posState << 3, 3);
		if (!r.bit(this.choice, 1)) return 8 + r.tree(this.mid, posState << 3, 3);
		return 16 + r.tree(this.high, 0, 8);
	}
}

/** Decodes a text. */
class Decoder {
	isMatch = probabilities(12 << 4);
	isRep = probabilities(12);
	isRepG0 = probabilities(12);
	isRepG1 = probabilities(12);
	isRepG2 = probabilities(12);
	isRep0Long = probabilities(12 << 4);
	slots = probabilities(firstLengths << 6);
	special = probabilities(115);
	align = probabilities(1 << alignBits);
	lengths = new Lengths();
	repLengths = new Lengths();
	state = 0;
	rep0 = 0;
	rep1 = 0;
	rep2 = 0;
	rep3 = 0;
	at = 0;

	/** @param {Uint8Array} from */
	constructor(from) {
		const [lc, lp, pb] = [from[0] % 9, Math.floor(from[0] / 9) % 5, Math.floor(from[0] / 45)];
		this.out = new Uint8Array(Number(new DataView(from.buffer, from.byteOffset).getBigUint64(5, true)));
		this.range = new Range(from, 13);
		this.literals = probabilities(0x300 << (lc + lp));
		this.lc = lc;
		this.lpMask = (1 << lp) - 1;
		this.posMask = (1 << pb) - 1;
	}

	/** @returns {Uint8Array<ArrayBuffer>} */
	decode() {
		const { out, range, isMatch, isRep } = this;
		while (this.at < out.length) {
			const posState = this.at & this.posMask;
			if (!range.bit(isMatch, this.state << 4 | posState)) this.literal();
			else if (!range.bit(isRep, this.state)) this.copy(this.match(posState));
			else this.copy(this.repeat(posState));
		}
		return out;
	}

	literal() {
		const { out, range, literals, at, state } = this;
		const before = at > 0 ? out[at - 1] : 0, offset = 0x300 * (((at & this.lpMask) << this.lc) + (before >> (8 - this.lc)));
		let symbol = 1;
		if (state >= 7) {
			let match = out[at - this.rep0 - 1];
			do {
				const bit = match >> 7 & 1;
				match <<= 1;
				const got = range.bit(literals, offset + ((1 + bit) << 8) + symbol);
				symbol = symbol << 1 | got;
				if (bit !== got) break;
			} while (symbol < 0x100);
		}
		while (symbol < 0x100) symbol = symbol << 1 | range.bit(literals, offset + symbol);
		out[this.at++] = symbol;
		this.state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
	}

	/** A match at a new distance. @param {number} posState @returns {number} its length */
	match(posState) {
		const { range } = this;
		[this.rep3, this.rep2, this.rep1] = [this.rep2, this.rep1, this.rep0];
		const length = this.lengths.decode(range, posState);
		this.state = this.state < 7 ? 7 : 10;
		const slot = range.tree(this.slots, Math.min(length, firstLengths - 1) << 6, 6);
		this.rep0 = slot;
		if (slot >= 4) {
			const n = (slot >> 1) - 1, high = ((2 | slot & 1) << n) >>> 0;
			this.rep0 = slot < endOfDirect
				? high + range.reverseTree(this.special, high - slot, n)
				: (high + (range.direct(n - alignBits) << alignBits) + range.reverseTree(this.align, 0, alignBits)) >>> 0;
		}
		return length + smallestMatch;
	}

	/** A match at one of the last four distances. @param {number} posState @returns {number} its length */
	repeat(posState) {
		const { range, state } = this;
		if (!range.bit(this.isRepG0, state)) {
			if (!range.bit(this.isRep0Long, state << 4 | posState)) {
				this.state = state < 7 ? 9 : 11;
				return 1;
			}
		} else {
			let distance = this.rep1;
			if (range.bit(this.isRepG1, state)) {
				distance = this.rep2;
				if (range.bit(this.isRepG2, state)) {
					distance = this.rep3;
					this.rep3 = this.rep2;
				}
				this.rep2 = this.rep1;
			}
			this.rep1 = this.rep0;
			this.rep0 = distance;
		}
		this.state = state < 7 ? 8 : 11;
		return this.repLengths.decode(range, posState) + smallestMatch;
	}

	/** Copies what lies at distance rep0. @param {number} length */
	copy(length) {
		const { out, rep0 } = this;
		if (rep0 >= this.at) throw new Error("LZMA: a match begins before the text");
		const end = Math.min(this.at + length, out.length);
		let at = this.at;
		for (let i = at - rep0 - 1; at < end;) out[at++] = out[i++];
		this.at = at;
	}
}

/** @param {Uint8Array} from a text whose head has its size @returns {Uint8Array<ArrayBuffer>} */
export function inflate(from) {
	return new Decoder(from).decode();
}
