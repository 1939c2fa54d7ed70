// A search through a user's keys, in steps. One request.
using System.Diagnostics;
using System.Text.Json;
using Garnet.Client;
using Garnet.Dashboard.Http;
using Garnet.Dashboard.Login;

namespace Garnet.Dashboard.Keys;

/// <summary>
/// Goes on from the page's cursor until it has examined its budget or has taken its time; then the page asks again. So the server is never
/// held up, in however many keys.
/// </summary>
/// <param name="body">What the page has sent: database, pattern and cursor.</param>
/// <param name="connection">The user's.</param>
/// <param name="budget">Keys that the request examines, about.</param>
/// <param name="step">Keys that one SCAN examines, about.</param>
internal sealed class KeyScan(RequestBody? body, UserConnection connection, int budget, int step)
{
    /// <summary>Bytes of names after which it stops.</summary>
    public const int MaxNameBytes = 1024 * 1024;

    private const int MaxMs = 250;

    // A class without a byte, which is no name's.
    private static readonly byte[] NoName = [(byte)'[', (byte)'^', 0, (byte)'-', 255, (byte)']'];

    private readonly byte[] _pattern = body?.Bytes("pattern") is { Length: > 0 } given ? given : "*"u8.ToArray();
    private readonly long _begun = Stopwatch.GetTimestamp();
    private string _cursor = body?.Text("cursor") ?? "0";
    private int _step = step;
    private int _examined;
    private long _nameBytes;
    private bool _hasSkipped;

    /// <summary>The database.</summary>
    public int Database { get; } = RequestBody.DatabaseOf(body);

    /// <summary>Whether there are keys left, budget and time.</summary>
    public bool MayGoOn =>
        _cursor != "0" && _examined < budget && _nameBytes < MaxNameBytes && Stopwatch.GetElapsedTime(_begun).TotalMilliseconds < MaxMs;

    /// <summary>The next keys, or the server's error.</summary>
    public async Task<RespValue> NextAsync(RequestMemory memory)
    {
        while (true)
        {
            try
            {
                return await StepAsync(_pattern, memory).ConfigureAwait(false);
            }
            catch (RespProtocolException) when (_step > 1)
            {
                _step = Math.Max(1, _step / 10);
            }
            catch (RespProtocolException)
            {
                break;
            }
        }

        // Names in one place of the index that are too long for a reply: they are passed.
        _hasSkipped = true;
        return await StepAsync(NoName, memory).ConfigureAwait(false);
    }

    private async Task<RespValue> StepAsync(byte[] pattern, RequestMemory memory)
    {
        ReadOnlyMemory<byte>[] scan =
        [
            Words.Bytes("SCAN"),
            Words.Bytes(_cursor),
            Words.Bytes("MATCH"),
            pattern,
            Words.Bytes("COUNT"),
            Words.Bytes(_step),
        ];
        RespValue reply = await connection.AskAsync(Database, scan, memory).ConfigureAwait(false);
        if (reply.IsError)
            return reply;
        _cursor = reply[0].AsString()!;
        _examined += _step;
        _nameBytes += reply[1].Children.Sum(static name => (long)name.Bytes.Length);
        return reply[1];
    }

    /// <summary>Writes where to go on, and how many keys were examined, about.</summary>
    public void Write(Utf8JsonWriter json)
    {
        json.WriteString("cursor", _cursor);
        json.WriteNumber("examined", _examined);
        if (_nameBytes >= MaxNameBytes)
            json.WriteNumber("stopped", MaxNameBytes);
        if (_hasSkipped)
            json.WriteBoolean("skipped", true);
    }
}
