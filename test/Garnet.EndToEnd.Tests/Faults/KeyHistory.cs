// Checks whether operations on one key are linearizable. One thread.
using System.Globalization;

namespace Garnet.EndToEnd.Tests.Faults;

/// <summary>
/// Wing and Gong's search, in windows: all clients synchronize between windows, so each window is checked separately, from every state in
/// which the previous one can have ended. An operation without a reply may have been executed within its window, or never.
/// </summary>
internal sealed class KeyHistory
{
    private const string Missing = "$-1\r\n";

    private HashSet<string> _states = [Missing];

    /// <summary>Checks the next window of at most 62 operations; false if no order of them is consistent.</summary>
    public bool TryAdvance(IReadOnlyList<KeyOperation> window)
    {
        HashSet<string> next = [];
        HashSet<(long, string)> seen = [];
        foreach (string state in _states)
            Explore(window, 0, state, next, seen);
        _states = next;
        return next.Count > 0;
    }

    private static void Explore(
        IReadOnlyList<KeyOperation> window,
        long done,
        string state,
        HashSet<string> ends,
        HashSet<(long, string)> seen
    )
    {
        if (!seen.Add((done, state)))
            return;
        // An operation can be next if no other remaining one ended before it began.
        long firstEnd = long.MaxValue;
        bool isEnd = true;
        for (int i = 0; i < window.Count; i++)
        {
            if ((done & (1L << i)) != 0 || window[i].IsUnanswered)
                continue;
            isEnd = false;
            firstEnd = Math.Min(firstEnd, window[i].Ended);
        }

        if (isEnd)
            ends.Add(state);
        for (int i = 0; i < window.Count; i++)
        {
            if ((done & (1L << i)) == 0 && window[i].Began < firstEnd && TryApply(window[i], state, out string after))
                Explore(window, done | (1L << i), after, ends, seen);
        }
    }

    // A state is GET's reply.
    private static bool TryApply(KeyOperation operation, string state, out string after)
    {
        string expected;
        switch (operation.Name)
        {
            case "GET":
                (after, expected) = (state, state);
                break;
            case "SET":
                (after, expected) = (Bulk(operation.Argument), "+OK\r\n");
                break;
            case "GETSET":
                (after, expected) = (Bulk(operation.Argument), state);
                break;
            case "DEL":
                (after, expected) = (Missing, state == Missing ? ":0\r\n" : ":1\r\n");
                break;
            case "APPEND":
                string text = (state == Missing ? "" : state.Split("\r\n")[1]) + operation.Argument;
                (after, expected) = (Bulk(text), string.Create(CultureInfo.InvariantCulture, $":{text.Length}\r\n"));
                break;
            default:
                throw new ArgumentException(operation.Name);
        }

        return operation.IsUnanswered || operation.Reply == expected;
    }

    private static string Bulk(string text) => string.Create(CultureInfo.InvariantCulture, $"${text.Length}\r\n{text}\r\n");
}
