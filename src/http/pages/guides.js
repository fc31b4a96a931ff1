// Runs in the browser, on guides and errors, as it is. The pages can be read and searched without it.

const status = document.createElement('output')
status.className = 'unseen'
document.body.append(status)

/** Shown on the button, and announced. */
function report(button, text) {
  button.textContent = text
  status.textContent = text
  setTimeout(() => {
    button.textContent = 'Copy'
    status.textContent = ''
  }, 2_000)
}

async function copy(pre, button) {
  try {
    await navigator.clipboard.writeText(pre.textContent)
    report(button, 'Copied')
  } catch {
    getSelection().selectAllChildren(pre)
    report(button, 'Press Ctrl+C')
  }
}

for (const pre of document.querySelectorAll('pre')) {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = 'Copy'
  button.addEventListener('click', () => void copy(pre, button))
  const block = document.createElement('div')
  block.className = 'block'
  pre.replaceWith(block)
  block.append(pre, button)
}

// A link to a heading of this page loads no other page, so the menu would stay.
const menu = document.querySelector('#side')
menu.addEventListener('click', ({ target }) => {
  if (target.closest('a')) menu.hidePopover()
})

document.addEventListener('keydown', (event) => {
  const isTyping = event.target.matches('input, textarea')
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return
  event.preventDefault()
  document.querySelector('input[type=search]').focus()
})
