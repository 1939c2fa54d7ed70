// Adds values to a digest, by type. Used by the command's thread.
using System.Text;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Collections;
using Garnet.Store.Collections.Hashes;
using Garnet.Store.Collections.Streams;
using Garnet.Store.DataTypes;

namespace Garnet.Server.Commands.Debugging;

/// <summary>
/// Adds values to a digest: the elements of ordered types in their order, those of sets, hashes and sorted sets in any order. The encoding
/// makes no difference.
/// </summary>
internal sealed class ValueDigest
{
    private readonly ContentDigest _element = new();

    /// <summary>Adds a latched record's value, and whether it has an expiry.</summary>
    public void AddTo(ContentDigest digest, scoped in RecordHandle record, long nowMs)
    {
        digest.Append(record.Contents.DataType.Number);
        if (record.Type == RecordType.String)
            digest.Append(record.Value);
        else if (record.Type == RecordType.Stream)
            AddStream(digest, record.Contents.OpenStream());
        else if (record.Contents.DataType is CustomType custom)
            digest.Append(custom.DigestOf(CustomValue.PayloadOf(record.Value)));
        else
            AddCollection(digest, record.Contents.OpenCollection(), nowMs);
        if (record.ExpiresAtMs >= 0)
            digest.Add("!!expire!!"u8);
    }

    // Expired fields do not count, even if they have not been removed yet.
    private void AddCollection(ContentDigest digest, CollectionImage collection, long nowMs)
    {
        Span<byte> score = stackalloc byte[DoubleText.MaxLength];
        while (collection.MoveNext())
        {
            if (collection.IsOrdered)
            {
                digest.Append(collection.First.Span);
                continue;
            }

            if (!collection.HasSeconds && !collection.HasScores)
            {
                digest.Add(collection.First.Span);
                continue;
            }

            if (collection.ExpiresAtMs >= 0 && collection.ExpiresAtMs < nowMs)
                continue;
            _element.Clear();
            _element.Append(collection.First.Span);
            _element.Append(collection.HasSeconds ? collection.Second.Span : score[..DoubleText.FormatShortest(collection.Score, score)]);
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
