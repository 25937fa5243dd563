#!/usr/bin/env node
// Runs on Node 20 with nothing installed: brings what is missing, builds what is stale, then runs the command with Node 24.
import { spawn, spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  accessSync,
  constants,
  existsSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  watch,
  writeFileSync,
} from 'node:fs';
import { homedir } from 'node:os';
import { delimiter, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { stripVTControlCharacters } from 'node:util';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
process.chdir(root);

/** Where both runners write how long each test took. */
const times = 'node_modules/.cache/times';
/** Processes that wait for this one. */
const callers = findCallers();
/** Steps of this command that failed. */
const failed = [];
let isInterrupted = false;
const commands = {
  start,
  test,
  check,
  format,
  dev,
  'line:simulate': simulateLine,
  bench,
  e2e,
  admin,
  'new:feature': newFeature,
  operations,
  pictures,
};
const [name = 'start', ...rest] = process.argv.slice(2);
const prettier = ['node_modules/prettier/bin/prettier.cjs', '.', '--log-level=warn', '--cache'];
const command = commands[name];
if (!command) fail(`There is no command "${name}". There are: ${Object.keys(commands).join(', ')}.`);
if (Number(process.versions.node.split('.')[0]) < 20)
  fail(
    `Kotae needs Node.js 20 or newer, and this is ${process.versions.node}. Get a newer one from https://nodejs.org.`,
  );
await command();

async function start() {
  readDotEnv();
  install();
  await buildWeb();
  conclude();
  say('Starting…');
  // A small young generation, one heap for all threads, and compiled code from the last start: an idle server stays small.
  await become(node(), ['--max-semi-space-size=16', 'server/main.ts', ...rest], {
    MALLOC_ARENA_MAX: '1',
    NODE_COMPILE_CACHE: 'node_modules/.cache/compiled',
  });
}

/** What to do about accounts when nobody can sign in to do it. */
async function admin() {
  readDotEnv();
  install();
  await run(node(), ['server/admin.ts', ...rest]);
}

/** The pages by Vite, the server beside them; what is changed shows at once. */
async function dev() {
  readDotEnv();
  install();
  const port = process.env.DEV_PORT ?? '5173';
  await build('widget', ['vite.config.ts', 'vite.widget.config.ts'], 'Building the widget');
  conclude();
  begin(node(), [tool('vite'), 'build', '--config', 'vite.widget.config.ts', '--watch', '--logLevel', 'warn']);
  // Links in mails, cookies and passkeys are for the pages that are worked on, not for those that were built last.
  runAnew(['server/main.ts', ...rest], { BASE_URL: process.env.BASE_URL ?? `http://localhost:${port}` });
  await run(node(), [tool('vite'), '--port', port]);
  // The server without its pages is no use.
  process.kill(process.pid, 'SIGTERM');
}

/** Kotae with a LINE of its own on this machine, and a page that plays a phone. */
async function simulateLine() {
  readDotEnv();
  install();
  await buildWeb();
  conclude();
  const { PORT = '3000', LINE_SIMULATOR_PORT = '4020', ALLOW_PRIVATE_HOSTS, BASE_URL } = process.env;
  begin(node(), ['server/testing/line/simulate.ts']);
  await run(node(), ['server/main.ts'], {
    LINE_API_URL: `http://127.0.0.1:${LINE_SIMULATOR_PORT}`,
    ALLOW_PRIVATE_HOSTS: [ALLOW_PRIVATE_HOSTS, `127.0.0.1:${LINE_SIMULATOR_PORT}`].filter(Boolean).join(','),
    BASE_URL: BASE_URL ?? `http://localhost:${PORT}`,
  });
  // A phone without its bot is no use.
  process.kill(process.pid, 'SIGTERM');
}

/**
 * Runs the server, and again when a file in `server` or `shared` changes. Node's own `--watch` sees only what is imported, which
 * texts are not, and loses a file when an editor puts another in its place.
 */
function runAnew(args, env) {
  const watched = new Set();
  let child;
  let timer;
  let isEnding = false;
  const serve = () => {
    isEnding = false;
    child = begin(node(), args, env);
    child.on('exit', (code) => code && say('The server has ended; it starts again with the next change.'));
    const folders = [...filesIn('server'), ...filesIn('shared')].map((file) => dirname(file));
    // The server knows the names of the widget's files when it starts.
    for (const folder of new Set([...folders, 'dist/widget'])) {
      if (watched.has(folder)) continue;
      watched.add(folder);
      watch(folder, { persistent: false }, (_, file) => {
        if (!/\.(ts|json|md|html)$/.test(file ?? '') || file.endsWith('.test.ts')) return;
        clearTimeout(timer);
        timer = setTimeout(again, 100, join(folder, file));
      }).on('error', () => watched.delete(folder)); // the folder is gone
    }
  };
  const again = (file) => {
    if (isEnding) return; // what comes next reads this change, too
    say(`${file} has changed: the server starts again…`);
    if (child.exitCode !== null || child.signalCode !== null) return void serve();
    isEnding = true;
    child.once('exit', serve);
    child.kill();
  };
  serve();
}

/** Everything that has to hold, quickest first. Every step runs, whatever the others find; at the end stands what failed and what was skipped. */
async function test() {
  install();
  rmSync(times, { recursive: true, force: true });
  const chromium = findChromium();
  const missing = {
    'the server on Postgres (set TEST_DATABASE_URL)': !process.env.TEST_DATABASE_URL,
    'several servers with one Redis (set TEST_REDIS_URL)': !process.env.TEST_REDIS_URL,
    'a Redis that goes away and comes back (no redis-server in the path)': findCommands('redis-server').length === 0,
    'the check of signatures in Python (no python3 in the path)': findCommands('python3').length === 0,
    'the journeys in a browser (no Chromium found, and none could be installed)': !chromium,
  };
  const skipped = Object.keys(missing).filter((what) => missing[what]);
  const [isBuilt] = await Promise.all([buildWeb(), checks()]);
  await step('Tests', [tool('vitest'), 'run', ...rest]);
  if (isBuilt) await step('Sizes of the pages', ['bench/sizes.ts']);
  if (isBuilt && chromium) await journeys(chromium);
  tellTests();
  if (skipped.length > 0) say(`Skipped here:\n  - ${skipped.join('\n  - ')}`);
  // Where everything has been set up to be tried, all of it has to be.
  if (skipped.length > 0 && process.env.CI === 'true') failed.push('What was skipped, since CI=true');
  conclude(skipped.length > 0 ? 'Everything that ran holds.' : 'Everything holds.');
}

async function check() {
  install();
  await checks();
  conclude('Everything holds.');
}

async function checks() {
  await Promise.all([
    quietStep('Format', [...prettier, '--check']),
    quietStep('Types of the server', [tool('typescript', 'tsc'), '-p', 'tsconfig.json']),
    quietStep('Types of the web', [tool('typescript', 'tsc'), '-p', 'tsconfig.web.json']),
    quietStep('Lint', [tool('oxlint'), '--deny-warnings']),
    quietStep('Rules, texts and settings', ['scripts/check.ts']),
    quietStep('Dead code', [tool('knip')]),
  ]);
}

/** Formats every file as `check` wants it. */
async function format() {
  install();
  await step('Format', [...prettier, '--write']);
  conclude();
}

/** The skeleton of a feature: `npm run new:feature price-list`. */
async function newFeature() {
  install();
  await step('A new feature', ['scripts/new-feature.ts', ...rest]);
  conclude();
}

/** Writes again what is made of the code: tables in docs/operations, `.env.example`. */
async function operations() {
  install();
  await step('Tables and settings', ['scripts/operations.ts']);
  conclude();
}

/** Takes the pictures of the documentation again. */
async function pictures() {
  install();
  await buildWeb();
  conclude();
  const chromium = findChromium();
  if (!chromium) fail('The pictures need Chromium, and none was found. Install it, or name it in CHROMIUM_PATH.');
  await step('Pictures', ['e2e/pictures.ts'], { CHROMIUM_PATH: chromium });
  conclude();
}

async function bench() {
  install();
  await buildWeb();
  conclude();
  const all = readdirSync('bench')
    .filter((file) => file.endsWith('.ts'))
    .sort();
  const options = rest.filter((each) => each.startsWith('--'));
  const wanted = rest.length > options.length ? all.filter((file) => rest.includes(file.replace('.ts', ''))) : all;
  for (const file of wanted) await step(`Figures: ${file.replace('.ts', '')}`, [join('bench', file), ...options]);
  conclude();
}

async function e2e() {
  install();
  await buildWeb();
  conclude();
  const chromium = findChromium();
  if (!chromium) fail('The journeys need Chromium, and none was found. Install it, or name it in CHROMIUM_PATH.');
  await journeys(chromium, rest);
  conclude();
}

async function journeys(chromium, args = []) {
  await step(`Journeys in ${versionOf(chromium)}`, [tool('playwright'), 'test', ...args], { CHROMIUM_PATH: chromium });
}

/** The ten tests that took longest, and what failed with the first line of why, so that the end of a long output says it. */
function tellTests() {
  const read = (name) => {
    const file = join(times, name);
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : undefined;
  };
  const ofFile = ({ name, message, assertionResults }) =>
    assertionResults.length === 0 && message
      ? [{ ms: 0, what: relative(root, name), why: message }]
      : assertionResults.map(({ fullName, duration = 0, failureMessages: [why] }) => ({
          ms: duration,
          what: `${relative(root, name)}: ${fullName}`,
          why,
        }));
  const walked = ({ suites = [], specs = [] }) => [
    ...suites.flatMap(walked),
    ...specs.map(({ file, title, ok, tests }) => {
      const results = tests.flatMap((test) => test.results);
      return {
        ms: results.reduce((sum, { duration }) => sum + duration, 0),
        what: `e2e/${file}: ${title}`,
        why: ok ? undefined : (results.find(({ error }) => error)?.error.message ?? 'It failed.'),
      };
    }),
  ];
  const all = [...(read('tests.json')?.testResults ?? []).flatMap(ofFile), ...walked(read('journeys.json') ?? {})];
  say('The slowest ten:');
  for (const { ms, what } of all.toSorted((one, other) => other.ms - one.ms).slice(0, 10))
    console.log(`${(ms / 1000).toFixed(1).padStart(7)} s  ${what.slice(0, 140)}`);
  for (const { what, why } of all.filter((each) => each.why))
    complain(`${what}\n    ${stripVTControlCharacters(why).split('\n', 3).join('\n    ').slice(0, 400)}`);
}

/** `npm ci`, unless what the lock file names is there already. */
function install() {
  const stamp = 'node_modules/.kotae-installed';
  const wanted = hash(['package-lock.json', 'package.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return;
  say('Installing what Kotae needs (about a minute)…');
  const npm = process.platform === 'win32' ? 'npm.cmd' : 'npm';
  const { status, error } = spawnSync(npm, ['ci', '--no-audit', '--no-fund', '--loglevel=error'], {
    stdio: 'inherit',
    shell: process.platform === 'win32',
  });
  if (error) fail(`npm could not be started: ${error.message}`);
  if (status !== 0)
    fail(
      'The packages could not be installed. The lines above say why; often the registry cannot be reached, or the folder cannot be written.',
    );
  writeFileSync(stamp, wanted);
}

/** Builds the front end and the widget when their sources are newer than what was built. Says whether both are there. */
async function buildWeb() {
  const built = await Promise.all([
    build('web', ['vite.config.ts'], 'Building the pages'),
    build('widget', ['vite.config.ts', 'vite.widget.config.ts'], 'Building the widget'),
  ]);
  return built.every(Boolean);
}

async function build(what, configs, title) {
  const stamp = `dist/${what}/.built`;
  const wanted = hash([...filesIn(what), ...filesIn('shared'), ...configs, 'package-lock.json']);
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return true;
  say(`${title}…`);
  const { code, output } = await collect([tool('vite'), 'build', '--config', configs.at(-1), '--logLevel', 'warn']);
  if (code === 0) writeFileSync(stamp, wanted);
  else note(title, output);
  return code === 0;
}

/** The machine's own Node when it is new enough, else the one that npm brought. */
function node() {
  const [major, minor] = process.versions.node.split('.').map(Number);
  if (major > 24 || (major === 24 && minor >= 7)) return process.execPath;
  const brought = join(root, 'node_modules/node/bin', process.platform === 'win32' ? 'node.exe' : 'node');
  if (!existsSync(brought))
    fail(
      'Node 24 was not installed with the other packages. Delete node_modules and try again, or install Node 24 yourself.',
    );
  return brought;
}

/** The script behind a package's command. */
function tool(pkg, bin = pkg) {
  const folder = join('node_modules', pkg === 'playwright' ? '@playwright/test' : pkg);
  const manifest = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
  return join(folder, typeof manifest.bin === 'string' ? manifest.bin : manifest.bin[bin]);
}

/** CHROMIUM_PATH, or the newest of those that are here; where there is none, one is installed. */
function findChromium() {
  const found = newestChromium();
  if (found) return found;
  const isRoot = process.getuid?.() === 0;
  const sudo = isRoot ? [] : ['sudo', '-n'];
  if (
    process.platform === 'linux' &&
    spawnSync('which', ['apt-get']).status === 0 &&
    (isRoot || spawnSync('sudo', ['-n', 'true']).status === 0)
  ) {
    say('Installing Chromium and Japanese fonts for the journeys…');
    const [first, ...args] = [...sudo, 'apt-get', 'install', '-y', '-qq', 'chromium', 'fonts-noto-cjk'];
    const [update, ...updateArgs] = [...sudo, 'apt-get', 'update', '-qq'];
    spawnSync(update, updateArgs, { stdio: 'ignore' });
    spawnSync(first, args, { stdio: 'ignore', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } });
    if (newestChromium()) return newestChromium();
  }
  say('Downloading Chromium for the journeys…');
  spawnSync(node(), [tool('playwright'), 'install', 'chromium'], { stdio: 'ignore', timeout: 300_000 });
  return newestChromium();
}

function newestChromium() {
  const { CHROMIUM_PATH } = process.env;
  if (CHROMIUM_PATH && isExecutable(CHROMIUM_PATH)) return CHROMIUM_PATH;
  const names = ['chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable'];
  const known = [
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ];
  const numbersOf = (path) => (versionOf(path).match(/\d+/g) ?? []).map((part) => part.padStart(9, '0')).join('.');
  return [...names.flatMap(findCommands), ...known, ...downloaded()]
    .filter(isExecutable)
    .map((path) => ({ path, numbers: numbersOf(path) }))
    .sort((one, other) => Number(one.numbers < other.numbers) - Number(one.numbers > other.numbers))[0]?.path;
}

/** Where the path has a command of this name. */
function findCommands(name) {
  const folders = (process.env.PATH ?? '').split(delimiter);
  return folders.map((folder) => join(folder, name)).filter(isExecutable);
}

/** Such as `Chromium 156.0.8078.79`. */
function versionOf(chromium) {
  const { stdout } = spawnSync(chromium, ['--version'], { encoding: 'utf8' });
  return /^[\w ]+?[\d.]+/.exec(stdout ?? '')?.[0] ?? 'Chromium';
}

/** Where Playwright keeps the browsers that it downloads. */
function downloaded() {
  const folder =
    process.env.PLAYWRIGHT_BROWSERS_PATH ??
    join(homedir(), process.platform === 'darwin' ? 'Library/Caches/ms-playwright' : '.cache/ms-playwright');
  if (!existsSync(folder)) return [];
  const inside = ['chrome-linux/chrome', 'chrome-linux64/chrome', 'chrome-mac/Chromium.app/Contents/MacOS/Chromium'];
  return readdirSync(folder)
    .filter((each) => each.startsWith('chromium-'))
    .flatMap((each) => inside.map((path) => join(folder, each, path)));
}

function isExecutable(path) {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isFile();
  } catch {
    return false;
  }
}

/** Settings in `.env` count unless the environment says otherwise. */
function readDotEnv() {
  if (existsSync('.env')) process.loadEnvFile('.env');
}

async function step(title, args, env = {}) {
  const started = Date.now();
  say(`${title}…`);
  const code = await run(node(), args, env);
  if (isInterrupted) process.exit(130);
  tell(title, started, code);
}

/** Beside others, so it speaks only when it has ended. */
async function quietStep(title, args) {
  const started = Date.now();
  const { code, output } = await collect(args);
  tell(title, started, code, output);
}

function tell(title, started, code, output = 'The lines above say what.') {
  if (code === 0) say(`${title}: good (${((Date.now() - started) / 1000).toFixed(1)} s)`);
  else note(title, output);
}

function note(title, output) {
  failed.push(title);
  complain(`${title}: failed.\n${output}`);
}

/** The last line of a command: what failed of it, with a code that says so, or that all is well. */
function conclude(good) {
  if (failed.length > 0) fail(`Failed:\n  - ${failed.join('\n  - ')}`);
  if (good) say(good);
}

function collect(args) {
  return new Promise((done) => {
    const child = spawn(node(), args, {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: environment(),
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text) => (output += text));
    child.on('close', (code) => done({ code, output }));
  });
}

/** Leaves this process to the program, which needs no launcher beside it; where Node or the system cannot do that, runs it to the end. */
async function become(program, args, env) {
  if (process.execve) process.execve(program, [program, ...args], environment(env));
  await run(program, args, env);
}

/** Runs to the end. */
function run(program, args, env = {}) {
  return new Promise((done) => {
    begin(program, args, env).on('exit', (code, signal) => {
      if (['start', 'dev'].includes(name)) process.exitCode = code ?? 1;
      done(code ?? (signal ? 1 : 0));
    });
  });
}

/** Begins a program and hands signals on, so that Ctrl-C lets the server finish what it does. */
function begin(program, args, env) {
  const child = spawn(program, args, { stdio: 'inherit', env: environment(env) });
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
  const hand = (signal) => {
    isInterrupted = true;
    child.kill(signal);
  };
  for (const signal of signals) process.on(signal, hand);
  child.on('error', (error) => fail(`${program} could not be started: ${error.message}`));
  child.on('exit', () => signals.forEach((signal) => process.off(signal, hand)));
  return child;
}

function environment(more = {}) {
  return { ...process.env, NODE_NO_WARNINGS: '1', KOTAE_ENDS_WITH: [...callers, process.pid].join(), ...more };
}

/** The shell that npm runs this in, where it stays, and npm. Neither hands every signal on, so the server ends when one of them is gone. */
function findCallers() {
  if (!process.env.npm_lifecycle_event || process.platform === 'win32') return [];
  const { name: shell, parent } = processOf(process.ppid);
  return /(^|\/)(ba|da|k|z)?sh$/.test(shell) ? [process.ppid, parent] : [process.ppid];
}

/** From Linux's own list where there is one, since not every image has `ps`. */
function processOf(pid) {
  const stat = `/proc/${pid}/stat`;
  const [, name = '', parent] = existsSync(stat)
    ? /\((.*)\) \S (\d+)/.exec(readFileSync(stat, 'utf8'))
    : (/^(.*\S)\s+(\d+)/.exec(spawnSync('ps', ['-o', 'comm=,ppid=', '-p', pid], { encoding: 'utf8' }).stdout) ?? []);
  return { name, parent: Number(parent) };
}

function filesIn(folder) {
  if (!existsSync(folder)) return [];
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => relative(root, join(entry.parentPath ?? entry.path, entry.name)))
    .sort();
}

function hash(files) {
  const sum = createHash('sha256');
  for (const file of files) sum.update(file).update(existsSync(file) ? readFileSync(file) : '');
  return sum.digest('hex');
}

function say(text) {
  console.log(`\u001b[32m●\u001b[0m ${text}`);
}

function complain(text) {
  console.error(`\u001b[31m✖\u001b[0m ${text}`);
}

function fail(text) {
  complain(text);
  process.exit(1);
}
