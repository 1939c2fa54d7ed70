// A write sink that records effects. Used by tests whose clients run on one thread.
using System.Text;
using Garnet.Store;

namespace Garnet.Server.Tests;

/// <summary>
/// Records effects as readable text: each call adds one entry, with commands separated by <c>;</c> and arguments by blanks.
/// </summary>
internal sealed class RecordingSink : IWriteSink
{
    private readonly List<string> _entries = [];

    /// <summary>Returns the entries so far and clears them.</summary>
    public string[] Take()
    {
        string[] taken = [.. _entries];
        _entries.Clear();
        return taken;
    }

    /// <inheritdoc/>
    public void Append(int database, ReadOnlySpan<byte> effect)
    {
        StringBuilder text = new();
        while (!effect.IsEmpty)
        {
            if (text.Length > 0)
                text.Append("; ");
            int count = TakeNumber(ref effect, '*');
            for (int i = 0; i < count; i++)
            {
                int length = TakeNumber(ref effect, '$');
                text.Append(i > 0 ? " " : "").Append(Encoding.Latin1.GetString(effect[..length]));
                effect = effect[(length + 2)..];
            }
        }

        _entries.Add(text.ToString());
    }

    private static int TakeNumber(ref ReadOnlySpan<byte> bytes, char kind)
    {
        int end = bytes.IndexOf("\r\n"u8);
        if (bytes[0] != kind)
            throw new InvalidDataException($"Expected {kind}, got {(char)bytes[0]}.");
        int number = int.Parse(bytes[1..end]);
        bytes = bytes[(end + 2)..];
        return number;
    }
}
