import { useState } from 'react';
import { toProblem } from '../../api/problem.ts';
import type { CaptureType } from '../../api/responses.ts';
import type { OptionSchema } from '../../api/service.ts';
import { useKindOptions } from '../../captures/kinds.ts';
import { pageUrlFault, withScheme } from '../../captures/page-url.ts';
import { checkValues } from '../../options/check-values.ts';
import type { OptionValues } from '../../options/control.ts';
import type { Faults } from '../../options/faults.ts';
import { OptionsForm } from '../../options/options-form.tsx';
import { PageHeading } from '../../ui/page-heading.tsx';
import { ProblemNote } from '../../ui/problem-note.tsx';
import { Surface } from '../../ui/surface.tsx';
import { Waiting } from '../../ui/waiting.tsx';
import { formLinkOf, fromFragment } from './form-link.ts';
import classes from './playground.module.css';
import { RecentRuns } from './recent-runs.tsx';
import { Result } from './result.tsx';
import { SnippetTabs } from './snippet-tabs.tsx';
import { Source } from './source.tsx';
import { useCapture } from './use-capture.ts';
import { useFormState } from './use-form-state.ts';

/** Shows a form with every option, the result, and the request as code. */
export function Playground() {
  const { optionsOf, error, refetch } = useKindOptions();
  const isLoaded = optionsOf('screenshot') !== undefined;
  return (
    <>
      <PageHeading title="Playground" lead="Try every option, then copy the request as code." />
      {isLoaded ? (
        <Form optionsOf={(type) => optionsOf(type) ?? {}} />
      ) : error ? (
        <ProblemNote error={error} retry={() => void refetch()} />
      ) : (
        <Waiting what="Loading the options" />
      )}
    </>
  );
}

function Form({ optionsOf }: { optionsOf: (type: CaptureType) => Record<string, OptionSchema> }) {
  const { form, replace, setValue, setType } = useFormState(optionsOf);
  const capture = useCapture();
  const [ownFaults, setOwnFaults] = useState<Record<string, string>>({});
  const faults = { ...faultsOf(capture.error), ...ownFaults };
  const change = (name: string, value: unknown) => {
    setOwnFaults(({ [name]: _corrected, ...others }) => others);
    setValue(name, value);
  };
  const submit = () => {
    const typed = form.values.url;
    const url = typeof typed === 'string' ? withScheme(typed) : typed;
    const ready = { ...form, values: { ...form.values, ...(url !== undefined && { url }) } };
    const found = { ...checkValues(optionsOf(form.type), form.values), ...sourceFault(ready.values) };
    setOwnFaults(found);
    if (url !== typed) setValue('url', url);
    if (Object.keys(found).length === 0) capture.mutate(ready);
  };
  return (
    <form
      noValidate
      onSubmit={(event) => {
        event.preventDefault();
        if (!capture.isPending) submit();
      }}
    >
      <Surface>
        <Source form={form} isPending={capture.isPending} faults={faults} setType={setType} setValue={change} />
      </Surface>
      <div className={classes.grid}>
        <div className={classes.options}>
          <Surface title="Options">
            <OptionsForm options={optionsOf(form.type)} values={form.values} faults={faults} onChange={change} />
          </Surface>
        </div>
        <div className={classes.side}>
          <div className={classes.result} aria-live="polite">
            <Result capture={capture} onReuse={(record) => replace(fromFragment(formLinkOf(record), optionsOf))} />
          </div>
          <Surface title="Request as code">
            <SnippetTabs form={form} />
          </Surface>
          <RecentRuns shownId={capture.shown?.request_id} onShow={capture.show} />
        </div>
      </div>
    </form>
  );
}

/** Returns the fault of the page to capture; null without a fault. */
function sourceFault({ url, html }: OptionValues): Record<string, string> | null {
  if (html !== undefined) return null;
  const fault = pageUrlFault(url);
  return fault === undefined ? null : { url: fault };
}

/** Returns the service's errors about options, by path. */
function faultsOf(error: Error | null): Faults {
  if (!error) return {};
  const { details } = toProblem(error);
  return Object.fromEntries(details.map(({ field, message }) => [field, message]));
}
