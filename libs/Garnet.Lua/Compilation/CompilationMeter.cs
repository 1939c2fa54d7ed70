// What compiling takes of a state's memory and time. Used by the thread that compiles, which runs the state.
using Garnet.Lua.Execution;

namespace Garnet.Lua.Compilation;

/// <summary>
/// Counts tokens and what grows with them. The syntax tree and the code must fit into what the state's limit leaves beside its live values,
/// and the work counts as instructions, so that a long source can be stopped as a long script can.
/// </summary>
internal sealed class CompilationMeter(LuaState state)
{
    /// <summary>What a token takes while the tree of its chunk stands.</summary>
    private const int BytesPerToken = 64;

    private const int InstructionsPerToken = 6;
    private const int TokensAtOnce = 256;
    private const int BytesPerInstructionShift = 4;

    private readonly long _limit = state.Heap.Limit.Bytes - state.Heap.LiveBytes;
    private long _bytes;
    private int _tokens;

    /// <summary>Whether the code is memory of the state's values; otherwise the host keeps it.</summary>
    public bool IsOwned { get; init; }

    /// <summary>Counts the bytes of the source, most of which may be comments or one text.</summary>
    public void CountSource(int length) => state.ChargeInstructions(length >> BytesPerInstructionShift);

    /// <summary>Counts a token.</summary>
    public void CountToken()
    {
        if (++_tokens == TokensAtOnce)
            ChargeTokens();
    }

    /// <summary>Counts memory beside the tokens.</summary>
    /// <exception cref="LuaSyntaxException">It is more than the limit leaves.</exception>
    public void CountBytes(long bytes)
    {
        _bytes += bytes;
        if (_bytes > _limit)
            throw new LuaSyntaxException(state.Heap.Limit.Error);
    }

    /// <summary>Counts work beside the tokens.</summary>
    public void CountWork(int instructions) => state.ChargeInstructions(instructions);

    /// <summary>Counts the finished code as memory of the state, if it is.</summary>
    public void Finish(Prototype code)
    {
        ChargeTokens();
        if (IsOwned)
            state.Heap.Charge(code.Bytes);
    }

    private void ChargeTokens()
    {
        int tokens = _tokens;
        _tokens = 0;
        CountBytes(tokens * BytesPerToken);
        state.ChargeInstructions(tokens * InstructionsPerToken);
    }
}
