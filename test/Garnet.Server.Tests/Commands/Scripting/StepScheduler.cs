// Lets one thread of a test run at a time, from step to step. Used by the threads of one test.
using Garnet.Engine.Execution;
using Garnet.Engine.Requests;
using Garnet.Store.Epochs;

namespace Garnet.Server.Tests.Commands.Scripting;

/// <summary>
/// A participant runs until it calls the command STEP, ends, or waits inside the store for another one that stands at a step. So a test
/// chooses who goes on, and no interleaving depends on luck.
/// </summary>
internal sealed class StepScheduler
{
    // Only a deadlock takes so long.
    private static readonly TimeSpan Patience = TimeSpan.FromMinutes(1);

    [ThreadStatic]
    private static int t_participant;

    private readonly object _gate = new();
    private State[] _states = [];
    private int _turn;

    public StepScheduler() => Step = MakeStep();

    private enum State
    {
        Running,
        AtStep,
        Waiting,
        Ended,
    }

    /// <summary>The command STEP, which has no keys and returns OK.</summary>
    public CommandDescriptor Step { get; }

    /// <summary>Whether several participants stood at a step of their script at the same time.</summary>
    public bool WereInsideTogether { get; private set; }

    /// <summary>
    /// Runs the participants' work in the order that the choices say: which of those that can go on is next. Missing choices are 0, and
    /// are added to the list with the number of alternatives.
    /// </summary>
    public void Run(Action[] work, List<(int Choice, int Of)> choices)
    {
        _states = [.. work.Select(static _ => State.AtStep)];
        _turn = -1;
        WereInsideTogether = false;
        bool[] hasBegun = new bool[work.Length];
        Thread[] threads = [.. work.Select((each, i) => new Thread(() => Participate(i + 1, each)))];
        foreach (Thread thread in threads)
            thread.Start();
        for (int decision = 0; ; decision++)
        {
            int next;
            lock (_gate)
            {
                AwaitStandstill();
                int[] ready = [.. Enumerable.Range(0, work.Length).Where(i => _states[i] == State.AtStep)];
                WereInsideTogether |= ready.Count(i => hasBegun[i]) > 1;
                if (ready.Length == 0)
                    break;
                if (decision == choices.Count)
                    choices.Add((0, ready.Length));
                next = ready[choices[decision].Choice];
                hasBegun[next] = true;
                _states[next] = State.Running;
                _turn = next;
                // What it held may be released now.
                Monitor.PulseAll(_gate);
            }
        }

        foreach (Thread thread in threads)
            thread.Join();
    }

    /// <summary>The next list of choices in depth-first order; false after the last.</summary>
    public static bool TryAdvance(List<(int Choice, int Of)> choices)
    {
        while (choices.Count > 0)
        {
            (int choice, int of) = choices[^1];
            choices.RemoveAt(choices.Count - 1);
            if (choice + 1 == of)
                continue;
            choices.Add((choice + 1, of));
            return true;
        }

        return false;
    }

    // Nobody runs, and who waits does so for one that stands at a step: otherwise it is about to go on.
    private void AwaitStandstill()
    {
        while (
            Array.Exists(_states, static state => state == State.Running)
            || (
                Array.Exists(_states, static state => state == State.Waiting)
                && !Array.Exists(_states, static state => state == State.AtStep)
            )
        )
        {
            if (!Monitor.Wait(_gate, Patience))
                throw new InvalidOperationException($"Nobody goes on: {string.Join(", ", _states)}");
        }
    }

    private void Participate(int participant, Action work)
    {
        t_participant = participant;
        WaitProbe.OnWait = () => Change(participant - 1, State.Waiting);
        Stand(participant - 1);
        work();
        WaitProbe.OnWait = null;
        t_participant = 0;
        Change(participant - 1, State.Ended);
    }

    private CommandDescriptor MakeStep() =>
        new()
        {
            Name = "STEP",
            Arity = 1,
            Flags = CommandFlags.Fast,
            Group = CommandGroup.Generic,
            Since = "1.0.0",
            Handler = (ref CommandContext context) =>
            {
                if (t_participant != 0)
                {
                    Change(t_participant - 1, State.AtStep);
                    Stand(t_participant - 1);
                }

                context.Reply.WriteOk();
            },
        };

    private void Change(int participant, State state)
    {
        lock (_gate)
        {
            if (_states[participant] == state)
                return;
            _states[participant] = state;
            Monitor.PulseAll(_gate);
        }
    }

    private void Stand(int participant)
    {
        lock (_gate)
        {
            while (_turn != participant || _states[participant] != State.Running)
                Monitor.Wait(_gate);
            _turn = -1;
        }
    }
}
