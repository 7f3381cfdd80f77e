/** Sends the request of a form with the session of the dashboard, and shows its response. */
export function setUpTryIt(): void {
  for (const form of document.querySelectorAll<HTMLFormElement>('form[data-try]')) {
    const result = form.parentElement?.querySelector<HTMLElement>('.result');
    const button = form.querySelector('button');
    if (!result || !button) continue;
    form.addEventListener('submit', async (event) => {
      event.preventDefault();
      button.disabled = true;
      result.replaceChildren(paragraph('Waiting for the response …'));
      try {
        await showResponse(result, ...requestOf(form));
      } catch (error) {
        result.replaceChildren(paragraph(error instanceof Error ? error.message : 'The request failed.'));
      } finally {
        button.disabled = false;
      }
    });
  }
}

function requestOf(form: HTMLFormElement): [string, RequestInit] {
  const { method = 'GET', path = '' } = form.dataset;
  let target = path;
  const query = new URLSearchParams();
  for (const { name, value, dataset } of form.querySelectorAll('input')) {
    if (dataset.in === 'path') target = target.replace(`{${name}}`, encodeURIComponent(value));
    else if (value !== '') query.append(name, value);
  }
  const body = form.querySelector('textarea')?.value.trim();
  if (body) checkJson(body);
  // The header shows that a page of the service sends the request.
  const headers = { 'X-Requested-With': 'dashboard', ...(body && { 'Content-Type': 'application/json' }) };
  const text = query.size > 0 ? `?${query}` : '';
  return [target + text, { method, headers, credentials: 'same-origin', redirect: 'follow', ...(body && { body }) }];
}

function checkJson(text: string): void {
  try {
    JSON.parse(text);
  } catch (error) {
    throw new Error(`The body is not valid JSON: ${(error as Error).message}`);
  }
}

async function showResponse(result: HTMLElement, url: string, init: RequestInit): Promise<void> {
  const startedAt = performance.now();
  const response = await fetch(url, init);
  const type = response.headers.get('Content-Type') ?? '';
  const status = paragraph(
    `${response.status} ${response.statusText} in ${Math.round(performance.now() - startedAt)} ms`,
  );
  status.className = response.ok ? 'good' : 'bad';
  const parts: HTMLElement[] = [status];
  if (response.status === 401)
    parts.push(signIn(url.startsWith('/api/operator') ? 'as the operator' : 'to the dashboard'));
  if (type.startsWith('text/event-stream') && response.body) {
    const output = code('');
    result.replaceChildren(...parts, output);
    for await (const text of chunksOf(response.body)) output.textContent += text;
    return;
  }
  if (/json|^text\//.test(type)) parts.push(code(readable(await response.text())));
  else if (response.body && type !== '') parts.push(...file(await response.blob()));
  result.replaceChildren(...parts);
}

async function* chunksOf(body: ReadableStream<Uint8Array<ArrayBuffer>>): AsyncGenerator<string> {
  const reader = body.pipeThrough(new TextDecoderStream()).getReader();
  for (let next = await reader.read(); !next.done; next = await reader.read()) yield next.value;
}

function readable(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** @param what names the action that needs the session. */
function signIn(what: string): HTMLElement {
  const link = document.createElement('a');
  link.href = '/dashboard/sign-in';
  link.textContent = `Sign in ${what}`;
  const text = paragraph('');
  text.append(link, ', then send the request again.');
  return text;
}

function file(bytes: Blob): HTMLElement[] {
  const url = URL.createObjectURL(bytes);
  const link = document.createElement('a');
  link.href = url;
  link.download = `capture.${(bytes.type.split('/')[1] ?? 'bin').replace('jpeg', 'jpg')}`;
  link.textContent = `Download (${Math.ceil(bytes.size / 1_000).toLocaleString('en-US')} kB)`;
  const text = paragraph('');
  text.append(link);
  if (!bytes.type.startsWith('image/')) return [text];
  const image = document.createElement('img');
  image.src = url;
  image.alt = 'The captured image';
  return [image, text];
}

function paragraph(text: string): HTMLElement {
  const element = document.createElement('p');
  element.textContent = text;
  return element;
}

function code(text: string): HTMLElement {
  const element = document.createElement('pre');
  element.tabIndex = 0;
  element.textContent = text;
  return element;
}
