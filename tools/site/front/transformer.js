// The two models of the course, in plain JavaScript: a vector is a Float32Array, a sentence is a list of vectors.
// Every function has its place in the course; its number stands behind it.

const PAD = 0, UNKNOWN = 1, BOS = 2, EOS = 3, KINDS = ["noun", "verb", "adjective", "adverb"];
const FIRST_BYTE = 4 + KINDS.length, FIRST_MERGE = FIRST_BYTE + 256;

// Files

const SINGLE = Float32Array.from({ length: 65536 }, (_, half) => {
  const sign = half & 0x8000 ? -1 : 1, exponent = (half >> 10) & 31, fraction = half & 1023;
  return sign * (exponent ? 2 ** (exponent - 25) * (1024 + fraction) : 2 ** -24 * fraction);
});

/** Read a file of models.py: its facts, and its arrays as a tree of the parts of their names. */
export function read(file) {
  const length = new DataView(file).getUint32(0, true);
  const { arrays, ...facts } = JSON.parse(new TextDecoder().decode(new Uint8Array(file, 4, length)));
  const halves = new Uint16Array(file, 4 + length), parameters = {};
  let start = 0;
  for (const [name, shape] of Object.entries(arrays)) {
    const size = shape.reduce((a, b) => a * b), keys = name.split("."), last = keys.pop();
    const place = keys.reduce((tree, key) => (tree[key] ??= {}), parameters);
    place[last] = { shape, numbers: Float32Array.from(halves.subarray(start, start += size), (half) => SINGLE[half]) };
  }
  return { ...facts, ...parameters };
}

// Arithmetic

const dot = (a, b, from = 0, to = a.length) => {
  let sum = 0;
  for (let i = from; i < to; i++) sum += a[i] * b[i];
  return sum;
};
const add = (a, b) => a.map((number, i) => number + b[i]);
const row = ({ shape: [, width], numbers }, i) => numbers.subarray(i * width, (i + 1) * width);

function linear(x, W) { // 00
  const y = new Float32Array(W.shape[1]);
  x.forEach((number, i) => row(W, i).forEach((weight, j) => { y[j] += number * weight; }));
  return y;
}

function softmax(scores) { // 02
  const largest = Math.max(...scores), powers = scores.map((score) => Math.exp(score - largest));
  const sum = powers.reduce((a, b) => a + b);
  return powers.map((power) => power / sum);
}

function embed(id, position, table) { // 00 and 01
  const width = table.shape[1];
  return row(table, id).map((number, i) => {
    const angle = position * 10000 ** (-(i - (i % 2)) / width);
    return number * Math.sqrt(width) + (i % 2 ? Math.cos(angle) : Math.sin(angle));
  });
}

// Layers

const keyAndValue = (x, { W_K, W_V }) => ({ key: linear(x, W_K), value: linear(x, W_V) });

function attention(x, kept, { W_Q, W_O }, heads) { // 04; what is not in `kept` cannot be seen, so no mask is needed
  const query = linear(x, W_Q), width = query.length / heads, output = new Float32Array(query.length);
  for (let start = 0; start < query.length; start += width) {
    const end = start + width;
    const weights = softmax(kept.map(({ key }) => dot(query, key, start, end) / Math.sqrt(width))); // 02
    kept.forEach(({ value }, t) => { for (let i = start; i < end; i++) output[i] += weights[t] * value[i]; });
  }
  return linear(output, W_O);
}

function feedForward(x, { W_1, b_1, W_2, b_2 }) { // 06
  return add(linear(add(linear(x, W_1), b_1.numbers).map((number) => Math.max(0, number)), W_2), b_2.numbers);
}

function addAndNorm(x, change, { gamma, beta }) { // 07
  const sum = add(x, change), mean = sum.reduce((a, b) => a + b) / sum.length;
  const centred = sum.map((number) => number - mean), deviation = Math.sqrt(dot(centred, centred) / sum.length + 1e-5);
  return centred.map((number, i) => (number / deviation) * gamma.numbers[i] + beta.numbers[i]);
}

function layer(x, kept, p, heads, memory) { // 07 and 09
  x = addAndNorm(x, attention(x, kept, p.self_attention ?? p.attention, heads), p.norm_1);
  if (memory) x = addAndNorm(x, attention(x, memory, p.cross_attention, heads), p.norm_2);
  return addAndNorm(x, feedForward(x, p.ffn), memory ? p.norm_3 : p.norm_2);
}

/** Return a function that reads one token after another, and answers with the logits of the next. */
function writer(table, layers, heads, memories = []) {
  const kept = layers.map(() => []);
  let position = 0;
  return (id) => {
    let x = embed(id, position++, table);
    layers.forEach((p, i) => {
      kept[i].push(keyAndValue(x, p.self_attention ?? p.attention));
      x = layer(x, kept[i], p, heads, memories[i]);
    });
    return Array.from({ length: table.shape[0] }, (_, token) => dot(x, row(table, token)));
  };
}

// The translator

/** Turn a typed sentence into words and marks, as the course's `normalise` does. */
export function normalise(sentence, { contractions, spellings, asking, numbers }) {
  const plain = sentence.replaceAll("\u2019", "'").toLowerCase().normalize("NFKD").replace(/\p{M}/gu, "");
  const marked = plain.replace(/[!.?]+/g, (marks) => (marks.includes("?") ? " ? " : " . "));
  const words = marked.replace(/[^\p{L}\p{N}_'.?]+/gu, " ").trim().split(" ").filter(Boolean)
    .map((word) => (/^\d+$/.test(word) ? numbers[+word] ?? word : spellings[word] ?? word))
    .flatMap((word) => (contractions[word] ?? word).split(" ").filter(Boolean))
    .flatMap((word) => word.replace(/([\p{L}\p{N}_])'s?$/u, "$1 's").split(" "));
  if (!words.some((word) => /[^.?']/.test(word))) return [];
  if (![".", "?"].includes(words.at(-1))) words.push(asking.includes(words[0]) ? "?" : ".");
  return words;
}

/** Translate a sentence greedily; throws an Error with a sentence for the visitor. */
export function translate(sentence, model) {
  const words = normalise(sentence, model), ids = words.map((word) => model.source.indexOf(word));
  const unknown = words.filter((_, i) => ids[i] < 0).map((word) => `“${word}”`);
  if (!words.length) throw Error("Type an English sentence, such as: I like cats.");
  if (unknown.length) {
    const known = model.source.filter((word) => /^\p{L}+$/u.test(word)).length;
    throw Error(`It does not know ${unknown.join(", ")}: it has learned ${known} English words. Try a simpler one.`);
  }
  if (words.slice(0, -1).some((word) => ".?".includes(word))) throw Error("One sentence at a time, please.");
  if (words.length > model.longest) throw Error(`It has seen no sentence of more than ${model.longest} words: make it shorter.`);
  return asSentence(greedy(ids, model).map((id) => model.target[id]));
}

function greedy(ids, model) { // 08 and 09
  const encoder = Object.values(model.encoder), decoder = Object.values(model.decoder);
  let X = ids.map((id, position) => embed(id, position, model.source_embedding));
  for (const p of encoder) {
    const kept = X.map((x) => keyAndValue(x, p.attention));
    X = X.map((x) => layer(x, kept, p, model.heads));
  }
  const memories = decoder.map((p) => X.map((x) => keyAndValue(x, p.cross_attention)));
  const next = writer(model.target_embedding, decoder, model.heads, memories), written = [];
  for (let id = BOS; written.length < model.maxLength;) {
    const logits = next(id);
    id = logits.indexOf(Math.max(...logits));
    if (id === EOS) break;
    written.push(id);
  }
  return written.filter((id) => ![PAD, UNKNOWN, BOS].includes(id));
}

const asSentence = (words) =>
  words.join(" ").replace(/ ([.,?])/g, "$1").replaceAll("¿ ", "¿").replace(/[\p{L}\p{N}]/u, (first) => first.toUpperCase());

// The dictionary

/** Write a definition of a word, existing or not; throws an Error with a sentence for the visitor. */
export function define(word, kind, model, random = Math.random) {
  word = word.toLowerCase().trim().replace(/\s+/g, " ");
  const ids = word ? encode(` ${word}`, model.merges) : [];
  if (!ids.length || ids.length > model.longest) throw Error("Type one word; it need not exist.");
  if (isUnfit(word, model.unfit)) throw Error("This dictionary has nothing to say about that. Try another word.");
  for (let tries = 0; tries < 20; tries++) {
    const text = continued([BOS, ...ids, 4 + KINDS.indexOf(kind)], model, random);
    if (text && !isUnfit(text, model.unfit)) return text;
  }
  throw Error("No definition of it was fit to print. Try another word.");
}

function continued(prompt, model, random) {
  const next = writer(model.embedding, Object.values(model.layers), model.heads), written = [];
  let logits = prompt.map(next).at(-1);
  while (written.length < model.maxLength) {
    const id = sample(logits, model.temperature, model.topP, random());
    if (id === EOS) break;
    written.push(id);
    logits = next(id);
  }
  return decode(written, model.merges).trim();
}

function sample(logits, temperature, topP, chance) { // 08
  const order = softmax(logits).map((share, id) => ({ share, id })).sort((a, b) => b.share - a.share);
  let before = 0;
  const kept = order.filter(({ share }, i) => (before += share) - share < topP || i === 0);
  const shares = softmax(kept.map(({ id }) => logits[id] / temperature));
  return kept[shares.findIndex((share) => (chance -= share) < 0)]?.id ?? kept.at(-1).id;
}

/** Cut a text into chunks, and join the pieces of each in the order in which pairs were learned. */
export function encode(text, merges) {
  const ranks = new Map(merges.map((pair, rank) => [pair.join(), rank]));
  return (text.match(/ ?\p{L}+|[^]/gu) ?? []).flatMap((chunk) => {
    let ids = Array.from(new TextEncoder().encode(chunk), (byte) => FIRST_BYTE + byte);
    for (;;) {
      const known = ids.slice(1).map((id, i) => ranks.get(`${ids[i]},${id}`) ?? Infinity), rank = Math.min(...known);
      if (rank === Infinity) return ids;
      ids = joined(ids, merges[rank], FIRST_MERGE + rank);
    }
  });
}

function joined(ids, [left, right], piece) {
  const result = [];
  for (const id of ids) {
    if (id === right && result.at(-1) === left) result[result.length - 1] = piece;
    else result.push(id);
  }
  return result;
}

function decode(ids, merges) {
  const bytes = (id) => (id < FIRST_BYTE ? [] : id < FIRST_MERGE ? [id - FIRST_BYTE] : merges[id - FIRST_MERGE].flatMap(bytes));
  return new TextDecoder().decode(Uint8Array.from(ids.flatMap(bytes)));
}

/** Whether a word of a text begins like one that has no place in a class. */
export function isUnfit(text, stems) {
  const words = text.toLowerCase().replace(/[^\p{L}]+/gu, " ").trim().split(" "), joined = `_${words.join("_")}_`;
  return stems.some((stem) => words.some((word) => `${word}_`.startsWith(stem))
    || (stem.slice(0, -1).includes("_") && joined.includes(`_${stem}`)));
}
