import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'
import { waitFor } from '../support/process/patience.ts'

const MODULE = new URL('../../src/process/engine-options.ts', import.meta.url).href
const setUp = (kind: 'api' | 'worker') =>
  `import { setUpEngine } from '${MODULE}'; setUpEngine('${kind}')`

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
  expect(await countCollections(setUp('api'))).toBeGreaterThan(await countCollections(''))
})

/** How many took part in a collection of young objects, on average. */
async function countCollectors(first: string): Promise<number> {
  const script = `
    ${first}
    let kept = []
    for (let index = 0; index < 5_000_000; index += 1) {
      kept.push({ index })
      if (kept.length > 20_000) kept = []
    }`
  const printed = await run(script, '--trace-gc', '--trace-parallel-scavenge')
  const count = (word: string) => printed.split(word).length - 1
  return count(' scavenge[') / count(' Scavenge ')
}

test('young objects are collected by one thread', async () => {
  // Threads that find no core take no part.
  const byItself = async () => expect(await countCollectors('')).toBeGreaterThan(1.2)
  await waitFor(byItself)
  // A few are collected before the module runs.
  expect(await countCollectors(setUp('api'))).toBeLessThan(1.2)
})

/** The compilers that a busy process has used. */
async function findCompilers(kind: 'api' | 'worker'): Promise<Set<string | undefined>> {
  const script = `
    ${setUp(kind)}
    const sum = (to) => {
      let total = 0
      for (let index = 0; index < to; index += 1) total += index % 7
      return total
    }
    for (let index = 0; index < 20_000; index += 1) sum(1_000)`
  // At once, so that no thread needs a core for it.
  const printed = await run(script, '--trace-opt', '--no-concurrent-recompilation')
  const names = [...printed.matchAll(/completed compiling .*\(target (\w+)\)/g)]
  return new Set(names.map(([, name]) => name))
}

test('the API uses the last of the compilers, and the worker only the one before it', async () => {
  expect(await findCompilers('api')).toContain('TURBOFAN_JS')
  expect(await findCompilers('worker')).toEqual(new Set(['MAGLEV']))
})

/** MiB that a process holds at most while it compiles 600 functions at once. */
async function measureCompiling(first: string): Promise<number> {
  const script = `
    ${first}
    const operands = Array.from({ length: 8 }, (_, index) => ({ value: index }))
    const functions = Array.from({ length: 600 }, (_, number) => {
      const terms = Array.from({ length: 80 }, (_, index) =>
        'sum += operands[' + (index % 8) + '].value * ' + (number + index))
      return new Function('operands', 'let sum = 0; ' + terms.join('; ') + '; return sum')
    })
    let most = 0
    for (let round = 0; round < 60; round += 1) {
      for (const each of functions) for (let call = 0; call < 30; call += 1) each(operands)
      most = Math.max(most, process.memoryUsage.rss())
    }
    console.log(most / 2 ** 20)`
  // One thread has all that compilers do beside the program, however many cores there are.
  return Number.parseFloat(await run(script, '--v8-pool-size=1'))
}

test('an API that compiles much at once frees what its compiler has finished with', async () => {
  const byItself = await measureCompiling('')
  expect(await measureCompiling(setUp('api'))).toBeLessThan(byItself * 0.6)
})
