// npm run openapi: writes openapi.json as the service serves it and the client's types, and what the
// build makes of the other two documents. With --check it fails where one of the first is not what the
// service says, and leaves it.
import { findDrifted, makeOutputs, writeOutputs } from './openapi/outputs.ts'

const { committed, built } = await makeOutputs()
writeOutputs(built)
if (process.argv.includes('--check')) {
  const drifted = findDrifted(committed)
  for (const path of drifted) console.error(`${path} is not what the service says now.`)
  if (drifted.length > 0) console.error('Run npm run openapi and review the changes.')
  process.exitCode = drifted.length > 0 ? 1 : 0
} else {
  const written = writeOutputs(committed)
  console.log(written.length > 0 ? `Wrote ${written}` : 'Nothing changed')
}
