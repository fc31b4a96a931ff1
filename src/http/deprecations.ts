/** A part of the released interface that will go. */
export type Deprecation = {
  /**
   * An operation (`listDraws`), or its parameter (`listDraws.query.from`) or member (`createDraw.request.amount`,
   * `reportExecution.answer.id`); a member of a named schema (`Facility.terms`, `FacilityPage.items[].limit`), or
   * its value (`Facility.state=CLOSED`); a code (`Problem.code=not_found`); a type of event (`draw.completed`), or
   * its member (`draw.completed.data.reference`).
   */
  part: string
  /** Dates, such as `2027-01-31`, with at least twelve months between them. */
  since: string
  sunset: string
  /** What to do about it, under `/docs/guides/`: `changes#terms-of-a-facility`. */
  page: string
}

/** The headers of answers, the marks of the OpenAPI document and the gate of releases follow from it. */
export const DEPRECATIONS: readonly Deprecation[] = []
