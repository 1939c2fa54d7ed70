// --bigkeys and --memkeys: the largest key of each type. One thread, then the process ends.
using System.Globalization;
using System.Text;
using Garnet.Cli.Connection;
using Garnet.Cli.Options;
using Garnet.Client;

namespace Garnet.Cli.Modes;

/// <summary>Asks for type and size of all keys, a small group at a time, in two round trips.</summary>
/// <param name="options">Which keys, and how they are measured.</param>
/// <param name="host">Takes the lines.</param>
/// <param name="connection">The server.</param>
internal sealed class BigKeysMode(CliOptions options, CliHost host, CliConnection connection)
{
    private readonly KeyReport _report = new(host);
    private readonly List<KeyKind> _kinds = [.. KeyKind.BuiltIn()];
    private readonly bool _measuresMemory = options.Mode == CliMode.MemoryKeys;
    private long _keyBytes;

    /// <summary>Runs it.</summary>
    /// <returns>The exit code.</returns>
    public int Run()
    {
        using var interruption = new Interruption(connection.Abort);
        host.YieldProcessor();
        try
        {
            Measure(interruption);
        }
        catch (ConnectionLostException) when (interruption.IsRequested)
        {
            // What was found before is summarized.
        }

        Summarize(interruption.IsRequested);
        return 0;
    }

    private void Measure(Interruption interruption)
    {
        _report.Begin(connection, "biggest keys");
        var scan = new KeyScan(connection, options, interruption);
        foreach (IReadOnlyList<RespValue> keys in scan.Groups())
        {
            string percent = _report.Percent;
            KeyKind?[] kinds = ReadKinds(scan, keys);
            long[] sizes = ReadSizes(scan, keys, kinds);
            for (int i = 0; i < keys.Count; i++)
            {
                if (kinds[i] is { } kind)
                    Count(kind, keys[i].Bytes.Span, sizes[i], percent);
            }
        }
    }

    private void Count(KeyKind kind, ReadOnlySpan<byte> key, long size, string percent)
    {
        _keyBytes += key.Length;
        _report.Count();
        if (kind.Add(key, size))
            _report.Write($"{percent} Biggest {kind.Name, -6} found so far '", key, $"' with {size} {UnitOf(kind)}\n");
    }

    // Null for a key that is gone.
    private KeyKind?[] ReadKinds(KeyScan scan, IReadOnlyList<RespValue> keys)
    {
        foreach (RespValue key in keys)
            connection.Append(["TYPE"u8.ToArray(), key.Bytes.ToArray()]);
        return Array.ConvertAll(
            scan.Ask(keys.Count),
            reply =>
                reply.IsError ? throw new CliException($"TYPE returned an error: {reply.Text}")
                : reply.Text == "none" ? null
                : KindOf(reply.Text)
        );
    }

    private KeyKind KindOf(string name)
    {
        foreach (KeyKind known in _kinds)
        {
            if (known.Name == name)
                return known;
        }

        var kind = new KeyKind(name, sizeCommand: null, "?");
        _kinds.Add(kind);
        return kind;
    }

    private long[] ReadSizes(KeyScan scan, IReadOnlyList<RespValue> keys, KeyKind?[] kinds)
    {
        int[] measured = [.. Enumerable.Range(0, kinds.Length).Where(i => IsMeasured(kinds[i]))];
        long[] sizes = new long[kinds.Length];
        if (measured.Length == 0)
            return sizes;
        foreach (int i in measured)
            connection.Append(SizeCommand(kinds[i]!, keys[i].Bytes.ToArray()));
        foreach ((int i, RespValue size) in measured.Zip(scan.Ask(measured.Length)))
        {
            // Not a number: deleted, or made anew with another type, since TYPE.
            if (size.Kind == RespKind.Integer)
                sizes[i] = size.Integer;
        }

        return sizes;
    }

    private bool IsMeasured(KeyKind? kind) => kind is not null && (_measuresMemory || kind.SizeCommand is not null);

    private byte[][] SizeCommand(KeyKind kind, byte[] key)
    {
        if (!_measuresMemory)
            return [Encoding.ASCII.GetBytes(kind.SizeCommand!), key];
        byte[][] usage = ["MEMORY"u8.ToArray(), "USAGE"u8.ToArray(), key];
        return options.Scan.Samples is { } samples
            ? [.. usage, "SAMPLES"u8.ToArray(), Encoding.ASCII.GetBytes(samples.ToString(CultureInfo.InvariantCulture))]
            : usage;
    }

    private string UnitOf(KeyKind kind) => _measuresMemory ? "bytes" : kind.Unit;

    private void Summarize(bool isPartial)
    {
        long sampled = _report.Sampled;
        _report.Summarize(isPartial);
        _report.Write(Invariant($"Total key length in bytes is {_keyBytes} (avg len {Average(_keyBytes, sampled):F2})\n\n"));
        foreach (KeyKind kind in _kinds)
        {
            if (kind.BiggestKey is { } key)
                _report.Write($"Biggest {kind.Name, 6} found '", key, $"' has {kind.BiggestSize} {UnitOf(kind)}\n");
        }

        _report.Write("\n");
        foreach (KeyKind kind in _kinds)
        {
            string share = Invariant(
                $"({Average(100 * kind.Count, sampled):00.00}% of keys, avg size {Average(kind.TotalSize, kind.Count):F2})"
            );
            _report.Write($"{kind.Count} {kind.Name}s with {kind.TotalSize} {UnitOf(kind)} {share}\n");
        }
    }

    private static double Average(long sum, long count) => count == 0 ? 0 : (double)sum / count;

    private static string Invariant(FormattableString text) => FormattableString.Invariant(text);
}
