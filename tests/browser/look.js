// Our own: what a reader would see of the pictures and pages in this page's frames, in Chromium. Each frame has its width and
// its colour scheme; look.bash writes the page. Says what is wrong, a line for each: markup that is broken, scripts, anything
// asked for from elsewhere, no title, text that leaves the picture or meets other text, or is too small or too faint.
'use strict';
const LEAST_CONTRAST = 4.5, LEAST_SIZE = 9;

const light = (rgb) => {
  const [r, g, b] = rgb.map((v) => (v /= 255) <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4);
  return .2126 * r + .7152 * g + .0722 * b;
};
const contrast = (a, b) => (Math.max(light(a), light(b)) + .05) / (Math.min(light(a), light(b)) + .05);

// "rgb(1, 2, 3)" as [1, 2, 3, opacity]; null for no colour.
function colour(text) {
  const v = /^rgb/.test(text) && text.match(/[\d.]+/g).map(Number);
  return v ? [v[0], v[1], v[2], v.length > 3 ? v[3] : 1] : null;
}

// What is behind an element at a point: everything below it there, the highest first, until something hides the rest.
function ground(win, element, x, y) {
  const below = win.document.elementsFromPoint(x, y), at = below.indexOf(element);
  const layers = [];
  for (const e of below.slice(at + 1)) {
    if (e.contains(element) && e.namespaceURI.endsWith('svg') && e.localName !== 'svg') continue;
    const style = win.getComputedStyle(e);
    const paint = colour(e instanceof win.SVGGeometryElement ? style.fill : style.backgroundColor);
    if (!paint) continue;
    paint[3] *= style.opacity;
    layers.push(paint);
    if (paint[3] === 1) break;
  }
  return layers.reverse().reduce((under, [r, g, b, a]) => [r, g, b].map((v, i) => v * a + under[i] * (1 - a)),
/dark/.test(win.getComputedStyle(win.document.documentElement).colorScheme) && win.matchMedia('(prefers-color-scheme: dark)').matches
      ? [18, 18, 18] : [255, 255, 255]);
}

// The texts that are drawn: of SVG whole <text> elements, as their parts stand together; else each node.
function texts(win) {
  const document = win.document, all = new Map();
  const walk = document.createTreeWalker(document.documentElement, win.NodeFilter.SHOW_TEXT);
  while (walk.nextNode()) {
    const node = walk.currentNode, parent = node.parentElement;
    if (!node.data.trim() || parent.closest('title, desc, style, script, head, defs')) continue;
    const drawn = parent.closest('text'), range = document.createRange();
    range.selectNodeContents(node);
    const boxes = drawn ? [drawn.getBoundingClientRect()] : [...range.getClientRects()];
    if (!boxes.length || !boxes[0].width || win.getComputedStyle(parent).visibility === 'hidden') continue;
    if (!all.has(drawn || node)) all.set(drawn || node, { words: '', boxes, parts: [] });
    all.get(drawn || node).words += node.data.replace(/\s+/g, ' ');
    all.get(drawn || node).parts.push(parent);
  }
  return [...all.values()];
}

function told(text) {
  return text.length > 50 ? `${text.slice(0, 50)}...` : text;
}

function faults(frame) {
  const win = frame.contentWindow, document = frame.contentDocument, root = document.documentElement, wrong = [];
  const svg = root.localName === 'svg';
  if (document.querySelector('parsererror')) return ['the markup is broken'];
  if (!svg && root.localName !== 'html') return [`a document of <${root.localName}>`];
  if (document.querySelector('script, foreignObject, image, img:not([src^="data:"]), iframe, object, embed, link, base, meta[http-equiv=refresh]'))
    wrong.push('a script, or something from elsewhere');
  for (const e of document.querySelectorAll('*'))
    for (const { name, value } of e.attributes)
      if (/^on/.test(name) || (/href$|^src$/.test(name) && !/^(#|data:)/.test(value) && e.localName !== 'a'))
        wrong.push(`<${e.localName} ${name}="${told(value)}">`);
  for (const { name } of win.performance.getEntriesByType('resource')) wrong.push(`asks for ${name}`);
  if (!document.querySelector('title')) wrong.push('no title');
  // A page may be longer than the window, no wider.
  const wide = svg ? root.getBoundingClientRect().width : root.clientWidth;
  const high = svg ? root.getBoundingClientRect().height : root.scrollHeight;
  if (!svg && root.scrollWidth > root.clientWidth) wrong.push(`the page is ${root.scrollWidth} pixels wide`);
  // In a narrow window a picture keeps its size, and can be scrolled.
  for (const figure of root.querySelectorAll('figure'))
    if (!/auto|scroll/.test(win.getComputedStyle(figure).overflowX) && (figure.scrollWidth > figure.clientWidth || figure.firstElementChild.getBoundingClientRect().width > figure.clientWidth + .5)) wrong.push('a picture is wider than the page');
  const seen = texts(win);
  for (const { words, boxes, parts } of seen) {
    const scrolls = !svg && [...function* up(e) { for (; e; e = e.parentElement) yield e; }(parts[0])]
      .some((e) => /auto|scroll/.test(win.getComputedStyle(e).overflowX) && e !== root && e !== document.body);
    for (const b of boxes) {
      if (!scrolls && (b.left < 0 || b.top < 0 || b.right > wide + .5 || b.bottom > high + .5)) wrong.push(`text leaves the picture: ${told(words)}`);
      const inside = parts[0].closest('svg svg, svg')?.getBoundingClientRect();
      if (!svg && inside && (b.left < inside.left - .5 || b.right > inside.right + .5)) wrong.push(`text leaves its picture: ${told(words)}`);
      // It may be turned.
      const size = svg ? Math.min(b.width, b.height) : b.height;
      if (size < LEAST_SIZE && words.length > 1) wrong.push(`text ${size.toFixed(1)} pixels high: ${told(words)}`);
      for (const e of parts) {
        const style = win.getComputedStyle(e), ink = colour(e.namespaceURI.endsWith('svg') ? style.fill : style.color);
        const drawn = e.closest('text') || e;
        // What is scrolled out of sight is not painted.
        const points = [.1, .5, .9].map((part) => [b.left + b.width * part, b.top + b.height * .6])
          .filter(([x, y]) => !scrolls || document.elementsFromPoint(x, y).includes(drawn));
        const least = Math.min(...points.map(([x, y]) => contrast(ink, ground(win, drawn, x, y))));
        if (least < LEAST_CONTRAST) wrong.push(`contrast ${least.toFixed(1)}: ${told(words)}`);
      }
    }
  }
  const flat = seen.flatMap(({ words, boxes }) => boxes.map((b) => ({ words, b })));
  flat.forEach(({ words, b }, i) => {
    for (const { words: others, b: o } of flat.slice(i + 1)) {
      const x = Math.min(b.right, o.right) - Math.max(b.left, o.left), y = Math.min(b.bottom, o.bottom) - Math.max(b.top, o.top);
      if (x > 1 && y > 3) wrong.push(`text over text: ${told(words)} | ${told(others)}`);
    }
  });
  return wrong;
}

window.onload = () => {
  const said = document.createElement('pre');
  for (const frame of document.querySelectorAll('iframe')) {
    let wrong;
    try {
      // All of a page must be within the window: what is at a point outside cannot be asked for.
      const root = frame.contentDocument.documentElement;
      if (root.localName === 'svg') frame.style.width = `${Math.max(frame.clientWidth, root.width.baseVal.value)}px`;
      frame.style.height = `${root.localName === 'svg' ? root.height.baseVal.value : root.scrollHeight}px`;
      wrong = faults(frame);
    } catch (e) {
      wrong = [String(e)];
    }
    for (const w of new Set(wrong)) said.textContent += `fault\t${frame.title}: ${w}\n`;
    said.textContent += `seen\t${frame.title}\n`;
  }
  document.body.append(said);
};
