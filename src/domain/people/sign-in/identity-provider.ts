/** Who a person is at the provider. */
export type Identity = {
  /** Unique among all providers: issuer and subject. */
  subject: string
  /** Folded by `readAddress`. */
  email: string | undefined
  isEmailVerified: boolean
  /** When the provider last asked who it is, if it says so. */
  authenticatedAt: Date | undefined
}

/** What the browser keeps, sealed, between the start and the answer. */
export type IdentityFlow = { state: string; nonce: string; verifier: string }

/** An OIDC provider, by which people sign in where one is configured. */
export type IdentityProvider = {
  /** For the button. */
  name: string
  /** Where the browser goes; `isFresh`: to be asked again who it is. Throws where the provider does not answer. */
  begin(asked: { isFresh: boolean }): Promise<{ url: string; flow: IdentityFlow }>
  /** `query` is what the provider sent back. Throws for an answer that does not verify, a subject with control
   * characters and an address outside ASCII. */
  finish(query: string, flow: IdentityFlow): Promise<Identity>
}
