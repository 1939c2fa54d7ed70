// What of a value goes into a digest, by type. One command's thread.
using System.Text;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Takes values into a digest: what has an order in it, sets, hashes and sorted sets in any order. How a value is kept makes no difference.
/// </summary>
internal sealed class ValueDigest
{
    private readonly ContentDigest _element = new();

    /// <summary>Takes a latched record's value in, and whether it expires.</summary>
    public void AddTo(ContentDigest digest, scoped in RecordHandle record, long nowMs)
    {
        digest.Append(NumberOf(record.Type));
        if (record.Type == RecordType.String)
            digest.Append(record.Value);
        else if (record.Type == RecordType.Stream)
            AddStream(digest, record.OpenStream());
        else
            AddCollection(digest, record.OpenCollection(), nowMs);
        if (record.ExpiresAtMs >= 0)
            digest.Add("!!expire!!"u8);
    }

    // The numbers are Valkey's.
    private static int NumberOf(RecordType type) =>
        type switch
        {
            RecordType.String => 0,
            RecordType.List => 1,
            RecordType.Set => 2,
            RecordType.SortedSet => 3,
            RecordType.Hash => 4,
            RecordType.Stream => 6,
            _ => throw new ArgumentOutOfRangeException(nameof(type), type, "The type has no number."),
        };

    // Fields that have expired do not count, whether they are still there or not.
    private void AddCollection(ContentDigest digest, CollectionImage collection, long nowMs)
    {
        Span<byte> score = stackalloc byte[DoubleText.MaxLength];
        while (collection.MoveNext())
        {
            if (collection.Type == RecordType.List)
            {
                digest.Append(collection.First.Span);
                continue;
            }

            if (collection.Type == RecordType.Set)
            {
                digest.Add(collection.First.Span);
                continue;
            }

            if (collection.ExpiresAtMs >= 0 && collection.ExpiresAtMs < nowMs)
                continue;
            _element.Clear();
            _element.Append(collection.First.Span);
            _element.Append(
                collection.Type == RecordType.Hash ? collection.Second.Span : score[..DoubleText.FormatShortest(collection.Score, score)]
            );
            digest.Add(_element.Sum);
        }
    }

    private static void AddStream(ContentDigest digest, StreamView stream)
    {
        foreach (StreamEntry entry in stream.Range(StreamId.Min, StreamId.Max))
        {
            digest.Append(Encoding.ASCII.GetBytes($"{entry.Id.Milliseconds}.{entry.Id.Sequence}"));
            foreach (HashField field in entry)
            {
                digest.Append(field.Field);
                digest.Append(field.Value);
            }
        }
    }
}
