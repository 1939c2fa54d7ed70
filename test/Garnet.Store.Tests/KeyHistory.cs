// Checks whether concurrent operations on one key are linearizable. Stateless.
namespace Garnet.Store.Tests;

/// <summary>
/// Wing and Gong's search, in windows: all threads synchronize between windows, so each window is checked separately, from every state in
/// which the previous one can have ended.
/// </summary>
internal sealed class KeyHistory
{
    private HashSet<State> _states = [new State(null, -1)];

    /// <summary>The state of a key: its value, or null, and its expiry.</summary>
    public readonly record struct State(string? Value, long ExpiresAtMs);

    /// <summary>One operation: its arguments, its result, and when it began and ended (in ticks of a shared counter).</summary>
    public readonly record struct Operation(string Name, string Argument, long ExpiresAtMs, string? Result, long Began, long Ended);

    /// <summary>Checks the next window; false if no order of its operations is consistent.</summary>
    public bool TryAdvance(List<Operation> window, long nowMs)
    {
        var next = new HashSet<State>();
        foreach (State state in _states)
        {
            State start = state.ExpiresAtMs >= 0 && nowMs > state.ExpiresAtMs ? new State(null, -1) : state;
            Explore(window, 0, start, next, []);
        }

        _states = next;
        return next.Count > 0;
    }

    private static void Explore(List<Operation> window, int done, State state, HashSet<State> ends, HashSet<(int, State)> seen)
    {
        if (!seen.Add((done, state)))
            return;

        if (done == (1 << window.Count) - 1)
        {
            ends.Add(state);
            return;
        }

        // An operation can be next if no other remaining one ended before it began.
        long firstEnd = long.MaxValue;
        for (int i = 0; i < window.Count; i++)
        {
            if ((done & (1 << i)) == 0)
                firstEnd = Math.Min(firstEnd, window[i].Ended);
        }

        for (int i = 0; i < window.Count; i++)
        {
            if ((done & (1 << i)) == 0 && window[i].Began < firstEnd && TryApply(window[i], state, out State after))
                Explore(window, done | (1 << i), after, ends, seen);
        }
    }

    private static bool TryApply(in Operation operation, State state, out State after)
    {
        after = state;
        switch (operation.Name)
        {
            case "GET":
                return operation.Result == state.Value;
            case "SET":
                after = new State(operation.Argument, operation.ExpiresAtMs);
                return true;
            case "DEL":
                after = new State(null, -1);
                return operation.Result == (state.Value is null ? "0" : "1");
            case "APPEND":
                after = new State(state.Value + operation.Argument, state.ExpiresAtMs);
                return operation.Result == after.Value!.Length.ToString();
            case "INCR":
                after = new State((Number(state.Value) + 1).ToString(), state.ExpiresAtMs);
                return operation.Result == after.Value;
            default:
                throw new ArgumentException(operation.Name);
        }
    }

    /// <summary>The number as which INCR interprets a value.</summary>
    public static long Number(string? value) =>
        value is null ? 0
        : long.TryParse(value, out long number) ? number
        : value.Length;
}
