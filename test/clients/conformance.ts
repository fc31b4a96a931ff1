import { readFileSync } from 'node:fs'
import type { ChainEnd, ChainVerdict } from '../../src/client/index.ts'

type Verifying = {
  name: string
  secrets: string[]
  headers: Record<string, string>
  body?: string
  body_base64?: string
  now: number
  verdict: string
}

type Retry = {
  name: string
  /** 0: no answer. */
  status: number
  code?: string
  retry_after?: number
  failed_attempts: number
  random: number
  delay_ms: number | null
}

export type LogEvent = { sequence: number; resource: string; version: number; type?: string }

export type Step =
  | { deliver: number[] }
  | { post: { event: object; status: 204 | 400 } }
  | { tick: true }
  | { wait: number }
  /** From now on the application of these fails. */
  | { fail: number[] }
  /** How far the log is written. */
  | { log_to: number }
  | { replay_fails: string | null }
  | { restart: true }
  /** The webhook of the inbox from now on. */
  | { webhook: string }
  /** What has happened since the expectation before. */
  | {
      expect: { applied: number[]; applied_sequence: number; reads: number; incidents: string[] }
    }

export type Scenario = {
  name: string
  webhooks: Record<string, { event_types: string[]; from: number }>
  page: number
  log: LogEvent[]
  steps: Step[]
}

export type Conformance = {
  key: { id: string; pkcs8_pem: string; seed_hex: string }
  secret: string
  signing: {
    name: string
    timestamp: string
    method: string
    target: string
    idempotency_key?: string
    body?: string
    string_to_sign: string
    signature: string
  }[]
  verifying: Verifying[]
  retries: Retry[]
  chains: { name: string; items: string[]; after?: ChainEnd; verdict: ChainVerdict }[]
  inbox: Scenario[]
}

/** What the three clients must do alike. */
export const conformance: Conformance = JSON.parse(
  readFileSync(new URL('../../clients/conformance.json', import.meta.url), 'utf8'),
)
