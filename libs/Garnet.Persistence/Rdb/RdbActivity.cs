// The activity times of a stream's consumers in a file. Stateless.
using System.Globalization;
using System.Text;
using Garnet.Store.Collections.Streams;

namespace Garnet.Persistence.Rdb;

/// <summary>
/// A property before a stream: for each consumer of each group, in order, the Unix milliseconds of its last activity (-1: never) as decimal
/// numbers separated by spaces. The stream format that Redis 7.0 reads has no field for them.
/// </summary>
internal static class RdbActivity
{
    public static ReadOnlySpan<byte> Name => "garnet-activity"u8;

    /// <summary>Whether these bytes begin with the property.</summary>
    public static bool StandsAt(ReadOnlySpan<byte> bytes) => RdbKeyProperty.StandsAt(bytes, Name);

    /// <summary>The property of a stream.</summary>
    public static byte[] Format(StreamView stream)
    {
        var text = new StringBuilder();
        foreach (StreamGroup group in stream.Groups)
        {
            foreach (StreamConsumer consumer in group)
                text.Append(CultureInfo.InvariantCulture, $"{(text.Length == 0 ? "" : " ")}{consumer.ActiveTimeMs}");
        }

        return Encoding.ASCII.GetBytes(text.ToString());
    }

    /// <summary>
    /// Parses a property; empty when it is damaged: the consumers' activity times then equal the times they were last seen.
    /// </summary>
    public static long[] Parse(ReadOnlySpan<byte> text)
    {
        string[] words = Encoding.Latin1.GetString(text).Split(' ');
        long[] times = new long[words.Length];
        for (int i = 0; i < words.Length; i++)
        {
            if (!long.TryParse(words[i], NumberStyles.AllowLeadingSign, CultureInfo.InvariantCulture, out times[i]))
                return [];
        }

        return times;
    }
}
