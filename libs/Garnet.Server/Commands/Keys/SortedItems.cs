// What a reply of SORT consists of. One command's thread, then that of the reply's connection.
using Garnet.Protocol;
using Garnet.Server.CommandModel;
using Garnet.Server.Sessions;
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Server.Commands.Keys;

/// <summary>Texts in the order of the reply, none where a GET has found nothing; others may change the keys meanwhile.</summary>
internal sealed class SortedItems(TextArena texts) : IDisposable
{
    private readonly ScratchList<TextSlice> _items = new();

    /// <summary>Texts and nulls.</summary>
    public int Count => _items.Count;

    /// <summary>Adds what comes next.</summary>
    public void Add(TextSlice item) => _items.Add(item);

    /// <summary>Writes one.</summary>
    public void Write(int index, ref RespWriter reply, IClientConnection connection)
    {
        TextSlice item = _items[index];
        if (item.IsNone)
            reply.WriteNull();
        else if (texts.TryReferenceBlock(item, out ValueBlock block))
            BlockReply.Write(ref reply, connection, block);
        else
            reply.WriteBulk(texts[item]);
    }

    /// <inheritdoc/>
    public void Dispose()
    {
        _items.Dispose();
        texts.Dispose();
    }
}
