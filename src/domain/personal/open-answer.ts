import { asSealed, type PersonalKind, type TextKey } from '../../core/personal-text.ts'

/** The body of an answer has sealed texts of this borrower in it: it is stored like that, and they are opened
 * when it is sent. */
export type PersonalAnswer = { borrowerId: string; key: TextKey }

const SEALED_MEMBER = /"(?<kind>destination|reference)":"(?<sealed>person\.[A-Za-z0-9+/]+=*)"/g

/** Members are named after what they are. Null where the person is erased. */
export function openAnswer(body: string, key: TextKey): string {
  return body.replace(SEALED_MEMBER, (_whole, kind: PersonalKind, sealed: string) => {
    const text = key.open(asSealed(sealed), kind)
    return `"${kind}":${JSON.stringify(text ?? null)}`
  })
}
