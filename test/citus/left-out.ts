/** What `npm run test:citus` leaves out, and why: files by pattern, tests by their names. */
type LeftOut = { reason: string; files?: readonly string[]; tests?: readonly string[] }

export const LEFT_OUT: readonly LeftOut[] = [
  {
    reason: 'needs no database',
    files: [
      'test/bench/**',
      'test/config/**',
      'test/plans/**',
      'test/providers/vendors/**',
      'test/redis/**',
      'test/routing/**',
      'test/support/**',
    ],
  },
  {
    reason: 'pages and a program that reach the database by the API alone',
    files: ['test/console/**', 'test/desk/**', 'test/svc/**'],
  },
  {
    reason: 'describes the schema as one server has it',
    files: ['test/db/schema.test.ts'],
  },
  {
    reason: 'starts a PostgreSQL of its own',
    files: ['test/local/**', 'test/process/own-stores.test.ts'],
  },
  {
    reason: 'drops from one server what a cluster does not have',
    files: ['test/domain/facilities/ledger/closed-months.test.ts'],
  },
  {
    reason: 'rules and triggers of the journal, which a cluster does not have',
    tests: [
      'the database refuses to alter or delete an entry',
      'the role of the API and the worker cannot drop a rule of the journal',
    ],
  },
  {
    reason: 'finds the session that waits for a lock, which on a cluster waits on a node',
    tests: ['a step whose connection dies before its commit is repeated as a whole'],
  },
  {
    reason: 'a trigger in the place of a node that is away: node-loss.test.ts has the node',
    tests: ['rows whose node is away are tried three times, counted, and hold up no others'],
  },
  {
    reason: 'waits no longer than the lock_timeout of the session, which nodes do not have',
    tests: [
      'a change whose counter stays locked fails whole, and uses no number',
      'a facility with a held lock fails alone, and the others escalate',
      'a facility with a held lock is sold alone, after the others',
      'a facility with a held lock keeps no other from being warned',
      'a facility that is locked when its fill is booked delays no other, and is sold once',
    ],
  },
  {
    reason: 'makes a database without Citus, or migrates one that is distributed again',
    tests: [
      'a PostgreSQL without Citus is refused in a sentence, and stays as it was',
      'a database is distributed from the moment that its stack says so',
      'a database that was away when it was first asked is asked again',
      'a distributed database is of the same stack to this release, and of another to one that',
      'migrate brings an empty database to the schema that the commands need, once',
      'a database of the first release, with rows in every table, is upgraded to the schema of today and loses none',
      'migrate refuses a server older than PostgreSQL 17 in one sentence, and changes nothing',
      'every command refuses the database of the other stack, by name',
    ],
  },
  {
    reason: 'tampers by a row of another tenant, or by a place on a page, which a cluster refuses',
    tests: [
      'a tampered database is caught by latest-facility-of-its-borrower: the latest facility is that of another borrower',
      'a tampered database is caught by rows-of-their-tenant: a facility names a borrower of another tenant',
    ],
  },
  {
    reason: 'ends the sessions that wait for a lock, which on a cluster wait on a node',
    tests: ['pushes whose connection ends are not tried again one by one: each fails for that'],
  },
  {
    reason: 'is about many tenants in one statement, or counts the statements of one server',
    tests: ['each statement is planned a few times a connection, and not for each event'],
  },
  {
    reason: 'reads rules, triggers or waits where one server has them',
    tests: [
      'no rule rewrites a statement, except those that protect the journal',
      'triggers protect the journal and its closed months, mark changed rows, and do nothing else',
      'a closed month takes no entry, also under the name of its table, and its balances stay',
      'an entry under way holds the closing until it has committed',
      'an ordinary delivery is inserted once and updated once, and no index is touched by that',
    ],
  },
  {
    reason: 'needs a server that asks for a password',
    tests: [
      'a login without the password that the server asks for leaves no connection open',
      'migrate --app-role makes the role with its password, and gives it a new one on the next run',
      'a missing password is reported in one sentence, by processes and commands',
    ],
  },
  {
    reason: 'meets every kind of case only with all its runs',
    tests: [
      'the pass over the book decides and sells as the ladder and the sale plan do, facility by',
      'a backtest warns, cures, escalates and sells as the service does over PostgreSQL, at the same',
      'the candidates of a tick are all of which an evaluation decides or notices anything',
    ],
  },
  {
    reason: 'walks an index of one server; a cluster reads all that is ready',
    tests: [
      'what waits is found a part at a time, each lane in its turn, with how long it has waited',
    ],
  },
  {
    reason: 'reads the plans of one server',
    tests: [
      'neither a claim nor a record reads other deliveries or events, though planned with',
      'a check reads the rows of its page and no others, though planned with',
    ],
  },
]

export const LEFT_OUT_FILES: readonly string[] = LEFT_OUT.flatMap(({ files = [] }) => files)

const names = LEFT_OUT.flatMap(({ tests = [] }) => tests)

/** Of the tests that are run, by their full names. A name stands for all that it begins. */
export const RUN_TESTS = new RegExp(`^(?!.*(?:${names.map(quote).join('|')}))`)

export function quote(text: string): string {
  return text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
}
