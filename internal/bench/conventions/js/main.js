// What the peers of mlkit for Node.js do with small problems: see python.py beside this folder.
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

const first = (module) => module.default ?? module;
const load = async (name) => first(await import(name));

// straight returns w and b of a linear function of the samples.
function straight(d, score) {
  const b = score(new Array(d).fill(0));
  return { w: [...Array(d).keys()].map((j) => score([...Array(d).keys()].map((k) => (k === j ? 1 : 0))) - b), b };
}

const peers = {
  async versions(X, y, Z, p) {
    return { versions: Object.fromEntries(p.names.map((name) => [name, JSON.parse(readFileSync(new URL(`node_modules/${name}/package.json`, import.meta.url))).version])) };
  },
  async ml_logistic(X, y, Z) {
    const LogisticRegression = await load('ml-logistic-regression');
    const { Matrix } = await import('ml-matrix');
    const m = new LogisticRegression({ numSteps: 5000, learningRate: 5e-2 });
    m.train(new Matrix(X), Matrix.columnVector(y));
    // Each classifier tells one class from the others, in the order of the labels.
    const w = m.classifiers[0].weights.to1DArray();
    return { labels: m.predict(new Matrix(Z)), w, scores: Z.map((z) => z.reduce((s, v, j) => s + v * w[j], 0)) };
  },
  async ml_svm(X, y, Z, p) {
    const SVM = await load('ml-svm');
    let seed = 1; // of a linear congruence, so that each run is the same
    const random = () => (seed = (seed * 16807) % 2147483647) / 2147483647;
    const m = new SVM({ C: 1, tol: 1e-6, maxIterations: 100000, maxPasses: 100, random, ...p });
    m.train(X, y);
    const margins = (Z) => m.margin(Z);
    return { labels: m.predict(Z), scores: margins(Z), ...straight(X[0].length, (x) => margins([x])[0]) };
  },
  async libsvm_js(X, y, Z, p) {
    const SVM = await load('libsvm-js/asm.js');
    const m = new SVM({ kernel: SVM.KERNEL_TYPES.LINEAR, type: SVM.SVM_TYPES.C_SVC, cost: 1, quiet: true, ...p });
    m.train(X, y);
    return { labels: m.predict(Z) };
  },
  async ml_bayes(X, y, Z) {
    const { GaussianNB } = await import('ml-naivebayes');
    const m = new GaussianNB();
    const { Matrix } = await import('ml-matrix');
    m.train(new Matrix(X), y);
    return { labels: m.predict(new Matrix(Z)) };
  },
  async ml_knn(X, y, Z, p) {
    const KNN = await load('ml-knn');
    return { labels: new KNN(X, y, { k: p.n_neighbors }).predict(Z) };
  },
  async ml_pca(X, y, Z, p) {
    const { PCA } = await import('ml-pca');
    const m = new PCA(X, p);
    return { components: m.getEigenvectors().transpose().to2DArray(), variances: m.getEigenvalues() };
  },
  async ml_kmeans(X, y, Z, p) {
    const { kmeans } = await import('ml-kmeans');
    return { assigned: kmeans(X, p.n_clusters, {}).clusters };
  },
};

console.log = console.error = () => {};
for await (const line of createInterface({ input: process.stdin })) {
  const p = JSON.parse(line);
  let answer;
  try {
    answer = await peers[p.peer](p.X, p.y, p.Z, p.parameters ?? {});
  } catch (e) {
    answer = { error: `${e.name ?? 'Error'}: ${e.message ?? e}` };
  }
  const finite = (key, v) => (typeof v === 'number' && !Number.isFinite(v) ? String(v) : v);
  process.stdout.write(`${JSON.stringify(answer, finite)}\n`);
}
