import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const MODULE = new URL('../../src/process/engine-options.ts', import.meta.url).href
const SET_UP = `import { setUpEngine } from '${MODULE}'; setUpEngine()`

/** What a module prints. */
async function run(script: string, ...options: readonly string[]): Promise<string> {
  const args = [...options, '--input-type=module', '--eval', script]
  return (await promisify(execFile)(process.execPath, args)).stdout
}

/** Full collections of a process that kept 35 MB and then keeps 75 MB more. */
async function countCollections(first: string): Promise<number> {
  const script = `
    import { constants, PerformanceObserver } from 'node:perf_hooks'
    import { setImmediate as turn } from 'node:timers/promises'
    ${first}
    const kept = []
    const keep = async (parts) => {
      for (let at = 0; at < parts; at += 1) {
        kept.push(Array.from({ length: 20_000 }, (_, index) => ({ index })))
        await turn()
      }
    }
    await keep(40)
    gc()
    let count = 0
    const note = (list) => {
      const kinds = list.getEntries().map(({ detail }) => detail.kind)
      count += kinds.filter((kind) => kind === constants.NODE_PERFORMANCE_GC_MAJOR).length
    }
    const observer = new PerformanceObserver(note)
    observer.observe({ entryTypes: ['gc'] })
    await keep(100)
    note({ getEntries: () => observer.takeRecords() })
    console.log(count, kept.length)`
  // Without the limit V8 would be careful by itself on a machine with little memory.
  return Number.parseInt(await run(script, '--max-old-space-size=4096', '--expose-gc'), 10)
}

test('a process collects old objects more often than V8 does by itself', async () => {
  expect(await countCollections(SET_UP)).toBeGreaterThan(await countCollections(''))
})
