// Writes the collections of a snapshot as text. For tests.
using System.Globalization;
using System.Text;
using Garnet.Store.Collections;
using Garnet.Store.Snapshots;

namespace Garnet.Store.Tests.Collections;

/// <summary>Keeps one text per key; large collections stay tree snapshots until <see cref="Read"/>, as for the saver.</summary>
internal sealed class ImageSink(HybridLogStore store) : ISnapshotSink
{
    private readonly Lock _lock = new();
    private readonly List<(string Key, RecordType Type, byte[] Value, nint Token)> _pictures = [];

    public Dictionary<string, string> Images { get; } = [];

    public bool HasRepeated { get; private set; }

    public static string TextOf(CollectionImage image)
    {
        var text = new StringBuilder();
        text.Append(image.Type).Append(' ').Append(image.Count).Append(' ').Append(Encoding.ASCII.GetString(image.EncodingName));
        while (image.MoveNext())
        {
            text.Append(' ').Append(Convert.ToHexString(image.First.Span));
            if (image.Type == RecordType.Hash)
                text.Append('=').Append(Convert.ToHexString(image.Second.Span)).Append('@').Append(image.ExpiresAtMs);
            else if (image.Type == RecordType.SortedSet)
                text.Append('=').Append(image.Score.ToString("R", CultureInfo.InvariantCulture));
        }

        return text.ToString();
    }

    public void OnFirstWrite(in SnapshotImage image) => Add(image);

    public void OnWalk(in SnapshotImage image) => Add(image);

    public bool HasSpace(long bytes) => true;

    public Task WaitForSpaceAsync() => Task.CompletedTask;

    /// <summary>Number of large collections.</summary>
    public int Snapshots { get; private set; }

    /// <summary>Writes the tree snapshots as text and releases them.</summary>
    public void Read()
    {
        foreach ((string key, RecordType type, byte[] value, nint token) in _pictures)
        {
            HasRepeated |= !Images.TryAdd(key, TextOf(CollectionImage.FromTree(store, type, value, token)));
            CollectionImage.ReleaseTree(store, token);
            Snapshots++;
        }

        _pictures.Clear();
    }

    private void Add(in SnapshotImage image)
    {
        lock (_lock)
        {
            string key = Encoding.UTF8.GetString(image.Key);
            if (image.TryReferenceTree(out nint token))
                _pictures.Add((key, image.Info.Type, image.Value.ToArray(), token));
            else
                HasRepeated |= !Images.TryAdd(key, TextOf(CollectionImage.FromBytes(image.Info.Type, image.Value)));
        }
    }
}
