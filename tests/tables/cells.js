// Our own: cells.js CSV PARQUET ARROW: are all cells of both files, as readers that others wrote read them, those of
// the csv? Prints how many cells were compared by each reader. Readers: DuckDB, parquet-wasm (the Rust crate parquet),
// hyparquet; apache-arrow.
const fs = require('fs')
const path = require('path')
const modules = process.env.TABLES
const load = name => require(path.join(modules, name))

// RFC 4180: rows of { text, quoted }. A byte that is not UTF-8 is the character with its number.
function csv (bytes) {
  const rows = []
  let row = []
  let cell = []
  let quoted = false
  let inside = false
  const end = () => { row.push({ text: utf8(cell), quoted }); cell = []; quoted = false }
  for (let i = 0; i < bytes.length; i++) {
    const b = bytes[i]
    if (inside) {
      if (b !== 34) cell.push(b)
      else if (bytes[i + 1] === 34) cell.push(bytes[i++])
      else inside = false
    } else if (b === 34) inside = quoted = true
    else if (b === 44) end()
    else if (b === 10) { end(); rows.push(row); row = [] } else cell.push(b)
  }
  return rows
}

function utf8 (bytes) {
  let text = ''
  for (let i = 0; i < bytes.length;) {
    const b = bytes[i]
    const n = b < 0x80 ? 1 : b >= 0xc2 && b < 0xe0 ? 2 : b >= 0xe0 && b < 0xf0 ? 3 : b >= 0xf0 && b < 0xf5 ? 4 : 0
    try {
      if (!n || i + n > bytes.length) throw new Error()
      text += new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(Uint8Array.from(bytes.slice(i, i + n)))
      i += n
    } catch { text += String.fromCharCode(b); i++ }
  }
  return text
}

// Seconds with nine decimals as nanoseconds.
function ns (text) {
  const m = /^(-?)(\d+)\.(\d{9})$/.exec(text)
  if (!m) throw new Error(`no time: ${text}`)
  return BigInt(m[1] + m[2] + m[3])
}

// Whether `value`, of a reader, is what the cell has.
function same (value, text, unit) {
  if (unit === 'us') return BigInt(value) === (ns(text) - (ns(text) % 1000n + 1000n) % 1000n) / 1000n
  if (unit === 'ns') return BigInt(value) === ns(text)
  if (typeof value === 'bigint') return value === BigInt(text)
  if (typeof value === 'number') return Object.is(value, text === 'nan' ? NaN : Number(text.replace('inf', 'Infinity')))
  return value === text
}

function compare (who, names, units, want, rows) {
  let cells = 0
  if (rows.length !== want.length - 1) throw new Error(`${who}: ${rows.length} rows, ${want.length - 1} in csv`)
  const head = want[0].map(c => c.text)
  if (JSON.stringify(head) !== JSON.stringify(names)) throw new Error(`${who}: ${names} are not ${head}`)
  rows.forEach((row, i) => head.forEach((name, c) => {
    const { text, quoted } = want[i + 1][c]
    const value = row[c]
    const absent = text === '' && !quoted
    const list = Array.isArray(value)
    const parts = text === '' ? [] : text.split(',')
    const good = absent
      ? value === null || value === undefined
      : list
        ? typeof value[0] === 'string'
          ? value.join(',') === text
          : value.length === parts.length && value.every((v, k) => same(v, parts[k], units[name]))
        : value !== null && same(value, text, units[name])
    if (!good) throw new Error(`${who}: row ${i}, ${name}: ${list ? 'list ' : ''}${value} (${typeof value}) is not "${text}"`)
    cells++
  }))
  console.log(`${who} ${cells}`)
}

const plain = v => v === null || v === undefined ? null : typeof v === 'object' && 'toArray' in v ? Array.from(v.toArray(), plain) : Array.isArray(v) ? v.map(plain) : v

// Rows of a table of apache-arrow; a timestamp as its nanoseconds.
function arrowRows (table) {
  const columns = table.schema.fields.map((field, i) => {
    const vector = table.getChildAt(i)
    if (!/^Timestamp/.test(String(field.type))) return Array.from(vector, plain)
    return vector.data.flatMap(d => Array.from({ length: d.length }, (_, k) =>
      d.getValid(k) ? new BigInt64Array(d.values.buffer, d.values.byteOffset, d.length)[k] : null))
  })
  return Array.from({ length: table.numRows }, (_, i) => columns.map(c => c[i]))
}

const unitsOf = text => Object.fromEntries(text.split(',').filter(Boolean).map(pair => pair.split('=')))

async function main (csvFile, parquetFile, arrowFile) {
  const want = csv(fs.readFileSync(csvFile))
  const bytes = fs.readFileSync(parquetFile)
  const arrow = load('apache-arrow')

  const stream = arrow.tableFromIPC(fs.readFileSync(arrowFile))
  const units = unitsOf(stream.schema.metadata.get('spoor.units'))
  const names = table => table.schema.fields.map(f => f.name)
  for (const f of stream.schema.fields) if (/^Timestamp/.test(String(f.type))) units[f.name] = 'ns'
  compare('apache-arrow', names(stream), units, want, arrowRows(stream))

  const wasm = require(path.join(modules, 'parquet-wasm/node/parquet_wasm.js'))
  const table = arrow.tableFromIPC(wasm.readParquet(new Uint8Array(bytes)).intoIPCStream())
  compare('parquet-wasm', names(table), units, want, arrowRows(table))

  const hy = await import(path.join(modules, 'hyparquet/src/index.js'))
  const file = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.length)
  const meta = hy.parquetMetadata(file)
  const facts = Object.fromEntries(meta.key_value_metadata.map(p => [p.key, p.value]))
  for (const [key, value] of stream.schema.metadata) if (facts[key] !== value) throw new Error(`${key}: ${facts[key]} is not ${value}`)
  const objects = await hy.parquetReadObjects({ file, parsers: { timestampFromNanoseconds: v => v } })
  compare('hyparquet', hy.parquetSchema(meta).children.map(c => c.element.name), units, want,
    objects.map(o => want[0].map(c => plain(o[c.text]))))

  const { DuckDBInstance } = load('@duckdb/node-api')
  const db = await (await DuckDBInstance.create(':memory:')).connect()
  const types = await db.runAndReadAll(`describe select * from '${parquetFile}'`)
  const list = types.getRows().map(([name, type]) => {
    const quoted = '"' + name.replaceAll('"', '""') + '"'
    if (!/TIMESTAMP/.test(type)) return quoted
    units[name] = 'us' // DuckDB 1.5 keeps microseconds of TIMESTAMP(NANOS, UTC)
    return `epoch_us(${quoted})`
  })
  const answer = await db.runAndReadAll(`select ${list.join(', ')} from '${parquetFile}'`)
  compare('DuckDB', types.getRows().map(r => r[0]), units, want,
    answer.getRows().map(row => row.map(v => v !== null && typeof v === 'object' && 'items' in v ? Array.from(v.items) : v)))
}

main(...process.argv.slice(2)).catch(e => { console.error(e.stack || String(e)); process.exit(1) })
