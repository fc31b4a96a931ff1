import fc from 'fast-check'

// A statement takes longer than on one server: a random history ends after as many runs as fit.
fc.configureGlobal({ interruptAfterTimeLimit: 40_000 })
