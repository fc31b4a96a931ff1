import type { Break } from './breaks.ts'

const CHECK = 'chained-operator-actions'

/** Ways to break the record of what operators did. */
export const OPERATOR_BREAKS: readonly Break[] = [
  [
    CHECK,
    'who acted was changed',
    [`UPDATE operator_actions SET actor = 'another' WHERE number = 2`],
    /operator action 2 is not what its hash was made over/,
  ],
  [
    CHECK,
    'what was changed, was changed',
    [`UPDATE operator_actions SET after = '{"days": 20}' WHERE number = 2`],
    /operator action 2 is not what its hash was made over/,
  ],
  [
    CHECK,
    'an action and its hash were changed',
    [
      `UPDATE operator_actions SET hash = sha256(''::bytea), after = NULL WHERE number = 2`,
      `UPDATE operator_actions a SET hash = operator_action_hash(previous_hash, jsonb_build_array(
         number, operator_id, actor, action, subject_kind, subject_id, tenant, reason, before, after,
         request_id, (extract(epoch FROM acted_at) * 1000000)::bigint)) WHERE number = 2`,
    ],
    /operator action 3 does not follow number 2/,
  ],
  [
    CHECK,
    'an action was deleted',
    ['DELETE FROM operator_actions WHERE number = 2'],
    /operator action 3 does not follow number 2/,
  ],
  [
    CHECK,
    'the first action was deleted',
    ['DELETE FROM operator_actions WHERE number = 1'],
    /operator action 2 does not follow number 1/,
  ],
  [
    CHECK,
    'the last action was deleted',
    ['DELETE FROM operator_actions WHERE number = 3'],
    /operator action 3 is the last by the counter, and not in the record/,
  ],
  [
    CHECK,
    'all actions were deleted',
    ['DELETE FROM operator_actions'],
    /operator action 3 is the last by the counter, and not in the record/,
  ],
]
