// The items of a SORT reply. Used by the command's thread, then by that of the connection that sends the reply.
using Garnet.Engine.Clients;
using Garnet.Engine.Requests;
using Garnet.Protocol;
using Garnet.Store;
using Garnet.Store.Memory;

namespace Garnet.Commands.Keys;

/// <summary>Texts in the order of the reply, with default values where a GET found nothing. Remains valid when the keys change.</summary>
internal sealed class SortedItems(TextArena texts) : IDisposable
{
    private readonly ScratchList<TextSlice> _items = new();

    /// <summary>Number of items, including nulls.</summary>
    public int Count => _items.Count;

    /// <summary>Appends an item.</summary>
    public void Add(TextSlice item) => _items.Add(item);

    /// <summary>Writes an item.</summary>
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
