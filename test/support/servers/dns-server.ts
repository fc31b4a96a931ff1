import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { isIPv6 } from 'node:net'
import ipaddr from 'ipaddr.js'

/** What is answered for a name: addresses, by way of an alias if one is given, or a failure. */
type DnsAnswer = {
  addresses?: readonly string[]
  /** The addresses are answered as those of this name. */
  alias?: string
  /** 2 is SERVFAIL, 3 NXDOMAIN, which is also the answer for a name the zone lacks. */
  rcode?: number
  /** Questions for the other address family fail. */
  only?: 'A' | 'AAAA'
  /** Never answers. */
  silent?: boolean
}

/** The first lookup of a name gets the first of its answers, and so on; the last one stays. */
export type DnsZone = Readonly<Record<string, readonly DnsAnswer[]>>

type DnsServer = AsyncDisposable & {
  /** For `createHostResolver({ servers: () => [address] })`. */
  address: string
  /** Lookups of `name` so far, each being the question for one address family. */
  lookups(name: string, family: 'A' | 'AAAA'): number
}

const TYPES = { A: 1, AAAA: 28 } as const
const CNAME = 5
const SERVFAIL = 2
const NXDOMAIN = 3

/** A name server on a loopback UDP port: just enough of RFC 1035 for address lookups. */
export async function startDnsServer(zone: DnsZone): Promise<DnsServer> {
  const asked = new Map<string, number>()
  const socket = createSocket('udp4', (query, from) => {
    const { name, type, end } = readQuestion(query)
    const key = `${name} ${type}`
    const nth = asked.get(key) ?? 0
    asked.set(key, nth + 1)
    const answers = zone[name] ?? [{ rcode: NXDOMAIN }]
    const given = answers[Math.min(nth, answers.length - 1)] ?? {}
    const wrongFamily = given.only !== undefined && TYPES[given.only] !== type
    const answer = wrongFamily ? { rcode: SERVFAIL } : given
    if (given.silent === true) return
    socket.send(encodeReply(query.subarray(0, end), type, answer), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    address: `127.0.0.1:${socket.address().port}`,
    lookups: (name, family) => asked.get(`${name} ${TYPES[family]}`) ?? 0,
    async [Symbol.asyncDispose]() {
      socket.close()
      await once(socket, 'close')
    },
  }
}

/** `end` is the offset behind the question. */
function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  for (let length = query[at] ?? 0; length > 0; length = query[at] ?? 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length).toLowerCase())
    at += 1 + length
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function encodeReply(question: Buffer, type: number, answer: DnsAnswer): Buffer {
  const records: Buffer[] = []
  const owner = answer.alias === undefined ? Buffer.from([0xc0, 12]) : encodeName(answer.alias)
  if (answer.alias !== undefined) records.push(encodeRecord(Buffer.from([0xc0, 12]), CNAME, owner))
  for (const address of answer.addresses ?? []) {
    if ((isIPv6(address) ? TYPES.AAAA : TYPES.A) !== type) continue
    records.push(encodeRecord(owner, type, Buffer.from(ipaddr.parse(address).toByteArray())))
  }
  const reply = Buffer.concat([question, ...records])
  reply.writeUInt16BE(0x8180 | (answer.rcode ?? 0), 2) // A response; recursion desired and available.
  reply.writeUInt16BE(records.length, 6)
  reply.writeUInt32BE(0, 8) // Neither authorities nor additional records.
  return reply
}

/** A lifetime of 0: every lookup is to come here. */
function encodeRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const fixed = Buffer.alloc(10)
  fixed.writeUInt16BE(type, 0)
  fixed.writeUInt16BE(1, 2)
  fixed.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, fixed, data])
}

function encodeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}
