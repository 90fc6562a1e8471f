// duckdb.js FILE SQL: how many rows DuckDB answers, on one thread; ROWS in SQL are the lines of FILE. For make bench,
// where node finds the package @duckdb/node-api (NODE_PATH).
const { DuckDBInstance } = require('@duckdb/node-api')

async function main (file, sql) {
  const db = await DuckDBInstance.create(':memory:', { threads: '1' })
  const connection = await db.connect()
  const rows = `read_csv('${file}', header = false, null_padding = true, ignore_errors = true)`
  const answer = await connection.runAndReadAll(sql.replaceAll('ROWS', rows))
  console.log(answer.currentRowCount)
}

main(process.argv[2], process.argv[3])
