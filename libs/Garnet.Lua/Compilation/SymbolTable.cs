// The names and texts of one source. Used by the thread that compiles.
using Garnet.Lua.Values;

namespace Garnet.Lua.Compilation;

/// <summary>An open-addressing table of symbols by content.</summary>
internal sealed class SymbolTable(CompilationMeter? meter)
{
    private const int SymbolBytes = 112;

    // Contents that were chosen to collide are found one after the other; that counts as work.
    private const int LongProbe = 16;

    private Symbol?[] _slots = new Symbol?[64];
    private int _count;

    /// <summary>The symbol of a content.</summary>
    /// <param name="content">The bytes.</param>
    /// <param name="kept">Bytes that stay as they are and contain the content, or null.</param>
    /// <param name="start">Where in them.</param>
    public Symbol Get(ReadOnlySpan<byte> content, byte[]? kept, int start)
    {
        uint hash = LuaString.HashOf(content);
        int mask = _slots.Length - 1;
        int slot = (int)(hash & (uint)mask);
        for (int probes = 0; _slots[slot] is { } known; slot = (slot + 1) & mask)
        {
            if (known.Text.Hash == hash && known.Text.Span.SequenceEqual(content))
                return known;
            if (++probes % LongProbe == 0)
                meter?.CountWork(LongProbe);
        }

        meter?.CountBytes(SymbolBytes + (kept is null ? content.Length : 0));
        LuaString text =
            LibraryNames.Find(content, hash)
            ?? (kept is null ? new LuaString(content.ToArray(), hash) : new LuaString(kept, start, content.Length, hash));
        var symbol = new Symbol(text);
        _slots[slot] = symbol;
        if (++_count * 2 > _slots.Length)
            Grow();
        return symbol;
    }

    private void Grow()
    {
        Symbol?[] old = _slots;
        _slots = new Symbol?[old.Length * 2];
        int mask = _slots.Length - 1;
        foreach (Symbol? symbol in old)
        {
            if (symbol is null)
                continue;
            int slot = (int)(symbol.Text.Hash & (uint)mask);
            while (_slots[slot] is not null)
                slot = (slot + 1) & mask;
            _slots[slot] = symbol;
        }
    }
}
