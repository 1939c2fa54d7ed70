// Writes small collections in Valkey's packed forms: one intset or listpack. Keeps scratch memory; one thread at a time.
using System.Buffers.Binary;
using Garnet.Store.Collections;

namespace Garnet.Persistence.Rdb.Packed;

/// <summary>
/// The packed forms known to Redis since 7.0. Sets in listpacks were added later, and are written in the plain form that every version
/// reads; lists are always written node by node.
/// </summary>
internal sealed class PackedWriter(ScoreFormatter formatScore)
{
    private const int IntSetHeaderBytes = 8;

    // Beyond this a score is stored as text even if it is a whole number.
    private const double MaxInteger = long.MaxValue / 2;
    private readonly ListPackBuilder _pack = new();
    private readonly RdbScratch _numbers = new();

    /// <summary>Writes a collection that has a packed form: <see cref="RdbForms.Packed"/>.</summary>
    public void Write(RdbWriter writer, scoped ref CollectionImage collection)
    {
        if (collection.IntegerWidth > 0)
        {
            WriteIntSet(writer, collection);
            return;
        }

        _pack.Clear();
        if (collection.TryGetRun(out PackedRun all))
            _pack.Add(all);
        else
            AddOneByOne(ref collection);
        writer.WriteString(_pack.Finish());
    }

    private void AddOneByOne(scoped ref CollectionImage collection)
    {
        while (collection.MoveNext())
        {
            _pack.Add(collection.First);
            if (collection.HasSeconds)
                _pack.Add(collection.Second);
            else
                AddScore(collection.Score);
        }
    }

    private void AddScore(double score)
    {
        bool isInteger = score is >= -MaxInteger and <= MaxInteger && (long)score == score && !(score == 0 && double.IsNegative(score));
        if (isInteger)
        {
            _pack.Add((long)score);
            return;
        }

        Span<byte> text = stackalloc byte[RdbPayloadWriter.MaxScoreText];
        _pack.Add(text[..formatScore(score, text)]);
    }

    // u32 width of a number, u32 count, the numbers in ascending order, all little endian.
    private void WriteIntSet(RdbWriter writer, scoped in CollectionImage collection)
    {
        int width = collection.IntegerWidth;
        Span<byte> bytes = _numbers.SetLength(checked(IntSetHeaderBytes + ((int)collection.Count * width)));
        BinaryPrimitives.WriteInt32LittleEndian(bytes, width);
        BinaryPrimitives.WriteInt32LittleEndian(bytes[4..], (int)collection.Count);
        collection.IntegerBytes.CopyTo(bytes[IntSetHeaderBytes..]);
        writer.WriteString(_numbers.Written);
    }
}
