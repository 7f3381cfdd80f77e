import { type Operation, type Parameter, schemaOf } from '../reference/document.ts';
import { exampleOf } from '../reference/sample-of.ts';
import { type Html, html } from './html.ts';

/**
 * Shows the form that sends an operation's request with the session of the signed-in reader. `client/try-it.ts` runs the form.
 */
export function tryIt({ method, path, parameters, requestBody, security }: Operation): Html {
  const inPath = parameters.filter((parameter) => parameter.in === 'path');
  const inQuery = parameters.filter((parameter) => parameter.in === 'query');
  const required = inQuery.filter((parameter) => parameter.required);
  const optional = inQuery.filter((parameter) => !parameter.required);
  const body = requestBody?.content['application/json'].example;
  const who = security.some((scheme) => 'operatorKey' in scheme) ? 'the operator' : 'your account';
  return html`<section class="try" aria-labelledby="try-it">
<h2 id="try-it">Try it</h2>
<p>${
    security.length > 0
      ? html`Sends the request as ${who}, with the session of <a href="/dashboard">the dashboard</a>. It is a real request.`
      : 'Sends a real request.'
  }</p>
<form data-try data-method="${method}" data-path="${path}">
${inPath.map((parameter) => input(parameter, ''))}
${required.map((parameter) => input(parameter, exampleOf(parameter)))}
${
  optional.length > 0 &&
  html`<details><summary>${optional.length} optional parameters</summary>${optional.map((one) => input(one, ''))}</details>`
}
${
  body !== undefined &&
  html`<label>JSON body<textarea name="body" rows="${JSON.stringify(body, null, 2).split('\n').length + 1}" spellcheck="false">${JSON.stringify(body, null, 2)}</textarea></label>`
}
<button type="submit">Send ${method}</button>
</form>
<div class="result" role="status" aria-label="Response"></div>
</section>`;
}

function input(parameter: Parameter, value: string): Html {
  const { examples, default: standard } = schemaOf(parameter);
  const hint = standard ?? examples?.[0];
  const shown = hint === undefined ? '' : typeof hint === 'string' ? hint : JSON.stringify(hint);
  return html`<label><span><code>${parameter.name}</code></span><input name="${parameter.name}" data-in="${parameter.in}" value="${value}" placeholder="${shown}" autocomplete="off" spellcheck="false"${
    parameter.required && html` required`
  }></label>
`;
}
