// SCAN over all keys. One thread.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>
/// Gives the keys in steps, with the pauses that -i asks for, or in small groups at a pace that leaves the server to others.
/// </summary>
/// <param name="connection">The server.</param>
/// <param name="options">Pattern, count and pause.</param>
/// <param name="interruption">Ends the scan early.</param>
internal sealed class KeyScan(CliConnection connection, CliOptions options, Interruption interruption)
{
    private const int KeysPerGroup = 100;
    private const int StepsPerPause = 100;

    private static readonly byte[] First = "0"u8.ToArray();

    private readonly ScanPace _pace = new(TimeProvider.System, time => interruption.Wait(time));

    /// <summary>
    /// The keys in groups, so small that requests for all keys of one are soon answered, with pauses between them; <c>-i 0</c> is without.
    /// </summary>
    public IEnumerable<IReadOnlyList<RespValue>> Groups()
    {
        bool isPaced = options.Interval != TimeSpan.Zero;
        foreach (IReadOnlyList<RespValue> keys in Steps(KeysPerGroup, StepsPerPause))
        {
            // With --count a step has more.
            foreach (RespValue[] group in keys.Chunk(KeysPerGroup))
            {
                yield return group;
                if (isPaced)
                    _pace.PauseIfDue();
            }
        }
    }

    /// <summary>Sends the requests that were appended to the connection, and reads the reply to each.</summary>
    /// <param name="count">The number of requests.</param>
    public RespValue[] Ask(int count)
    {
        long sent = TimeProvider.System.GetTimestamp();
        connection.Flush();
        var replies = new RespValue[count];
        for (int i = 0; i < count; i++)
        {
            replies[i] = connection.ReadAnswer();
            if (i == 0)
                _pace.CountRoundTrip(sent);
        }

        return replies;
    }

    /// <summary>Gives each step's keys.</summary>
    /// <param name="count">The keys that the server looks at in a step, unless --count says otherwise.</param>
    /// <param name="stepsPerPause">The steps between two pauses.</param>
    public IEnumerable<IReadOnlyList<RespValue>> Steps(int count, int stepsPerPause)
    {
        if (options.Scan.Count > 0)
            count = options.Scan.Count;
        byte[] cursor = First;
        long steps = 0;
        do
        {
            RespValue reply = Step(cursor, count);
            cursor = reply[0].Bytes.ToArray();
            yield return reply[1].Children;
            if (options.Interval is { } pause && ++steps % stepsPerPause == 0)
            {
                interruption.Wait(pause);
                _pace.Begin();
            }
        } while (!interruption.IsRequested && !cursor.AsSpan().SequenceEqual(First));
    }

    private RespValue Step(byte[] cursor, int count)
    {
        byte[] amount = Encoding.ASCII.GetBytes(count.ToString(CultureInfo.InvariantCulture));
        byte[][] command = options.Scan.Pattern is { } pattern
            ? ["SCAN"u8.ToArray(), cursor, "MATCH"u8.ToArray(), pattern, "COUNT"u8.ToArray(), amount]
            : ["SCAN"u8.ToArray(), cursor, "COUNT"u8.ToArray(), amount];
        connection.Append(command);
        RespValue reply = Ask(1)[0];
        if (reply.IsError)
            throw new CliException($"SCAN error: {reply.Text}");
        return reply.Kind == RespKind.Array && reply.Children.Count == 2 && reply[1].Kind == RespKind.Array
            ? reply
            : throw new CliException("The reply to SCAN is not a cursor and keys: this is no server whose keys can be listed");
    }
}
