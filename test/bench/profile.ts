import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

type ProfileNode = {
  id: number
  callFrame: { functionName: string; url: string; lineNumber: number }
  children?: number[]
}
type Profile = { nodes: ProfileNode[]; samples: number[]; timeDeltas: number[] }

export type Cost = { name: string; percent: number }

/**
 * Where the CPU time of a process went, by the newest `.cpuprofile` in a folder: per package (our
 * own files count one by one) and per function, dearest first, in percent of the busy time.
 */
export function readDearestCosts(folder: string): { parts: Cost[]; functions: Cost[] } {
  const newest = readdirSync(folder)
    .filter((name) => name.endsWith('.cpuprofile'))
    .sort()
    .at(-1)
  if (newest === undefined) throw new Error(`there is no profile in ${folder}`)
  const profile: Profile = JSON.parse(readFileSync(join(folder, newest), 'utf8'))
  const selfTime = new Map<number, number>()
  profile.samples.forEach((id, at) => {
    selfTime.set(id, (selfTime.get(id) ?? 0) + (profile.timeDeltas[at] ?? 0))
  })
  const busy = profile.nodes.filter(({ callFrame }) => callFrame.functionName !== '(idle)')
  const sumBy = (nameOf: (node: ProfileNode) => string) => {
    const sums = new Map<string, number>()
    for (const node of busy) {
      const name = nameOf(node)
      sums.set(name, (sums.get(name) ?? 0) + (selfTime.get(node.id) ?? 0))
    }
    const total = [...sums.values()].reduce((sum, time) => sum + time, 0)
    return [...sums]
      .map(([name, time]) => ({ name, percent: (time / total) * 100 }))
      .sort((a, b) => b.percent - a.percent)
      .slice(0, 40)
  }
  return {
    parts: sumBy(({ callFrame }) => toPart(callFrame.url, callFrame.functionName)),
    functions: sumBy(({ callFrame }) => {
      const { functionName, url, lineNumber } = callFrame
      return `${functionName || '(anonymous)'} ${shorten(url)}:${lineNumber + 1}`
    }),
  }
}

function toPart(url: string, functionName: string): string {
  if (url === '') return functionName
  return /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1] ?? shorten(url)
}

const shorten = (url: string) => url.replace(/^.*\/(?=(src|node_modules)\/)/, '')

/** The dearest parts and functions, one a line. */
export function formatCosts({ parts, functions }: ReturnType<typeof readDearestCosts>): string {
  const toLines = (costs: readonly Cost[]) =>
    costs.slice(0, 20).map(({ name, percent }) => `${percent.toFixed(1).padStart(5)} %  ${name}`)
  return ['By part:', ...toLines(parts), '', 'By function:', ...toLines(functions)].join('\n')
}
