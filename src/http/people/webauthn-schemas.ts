import { z } from 'zod'

const base64url = (maxLength: number) =>
  z
    .string()
    .max(maxLength)
    .regex(/^[A-Za-z0-9_-]+$/, { error: 'Invalid format. Expected base64url.' })

/** What browsers add beyond these members is ignored. */
const credential = {
  id: base64url(1_364),
  rawId: base64url(1_364),
  type: z.enum(['public-key']),
  clientExtensionResults: z.looseObject({}),
}

/** As `PublicKeyCredential.toJSON()` of a new passkey. */
export const registrationSchema = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: base64url(4_096),
    attestationObject: base64url(16_384),
    transports: z
      .array(
        z.string().regex(/^[a-z-]{1,32}$/, { error: 'Invalid format. Expected as "internal".' }),
      )
      .max(10)
      .exactOptional(),
  }),
})

/** As `PublicKeyCredential.toJSON()` of a passkey in use. */
export const assertionSchema = z.looseObject({
  ...credential,
  response: z.looseObject({
    clientDataJSON: base64url(4_096),
    authenticatorData: base64url(4_096),
    signature: base64url(4_096),
    userHandle: base64url(128).exactOptional(),
  }),
})

/** For `navigator.credentials`, by `parseCreationOptionsFromJSON` or `parseRequestOptionsFromJSON`. */
export const optionsSchema = z
  .looseObject({ challenge: z.string() })
  .meta({ id: 'PasskeyOptions', examples: [{ challenge: 'q83vASNFZ4mrze8BNw' }] })
