// Matches Lua's patterns. Used by the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>
/// A backtracking matcher over bytes. Its recursion is limited, and each step counts as instructions, so that a pattern that backtracks
/// without end can be stopped.
/// </summary>
internal ref struct PatternMatcher
{
    /// <summary>No match.</summary>
    public const int Failed = -1;

    private const int MaxCaptures = 32;
    private const int MaxDepth = 1500;
    private const int Unfinished = -1;
    private const int PositionCapture = -2;
    private const int StepsPerCharge = 64;

    // A scan over text is charged in parts of so many bytes.
    private const int ScanBytes = 1024;
    private const int ScannedPerInstructionShift = 3;
    private const int ComparedPerInstructionShift = 5;

    private readonly NativeCall _call;
    private readonly LuaString _source;
    private readonly ReadOnlySpan<byte> _pattern;
    private readonly ReadOnlySpan<byte> _text;
    private CaptureStarts _starts;
    private CaptureStarts _lengths;
    private int _level;
    private int _depth;
    private int _steps;

    public PatternMatcher(NativeCall call, LuaString source, ReadOnlySpan<byte> pattern)
    {
        _call = call;
        call.State.CountWork(pattern.Length >> ComparedPerInstructionShift);
        _source = source;
        _text = source.Span;
        // As in C, a NUL ends the pattern.
        int end = pattern.IndexOf((byte)0);
        _pattern = end < 0 ? pattern : pattern[..end];
    }

    public readonly int CaptureCount => _level;

    /// <summary>Matches at exactly the given position, and gives the end of the match or <see cref="Failed"/>.</summary>
    public int MatchAt(int position)
    {
        _level = 0;
        _depth = 0;
        return Match(position, 0);
    }

    /// <summary>The value of a capture; without captures the first one is the whole match.</summary>
    public readonly LuaValue Capture(int index, int start, int end)
    {
        if (index >= _level)
            return index == 0 ? new LuaValue(_call.State.Heap.NewString(_text[start..end])) : throw _call.Error("invalid capture index");

        int length = _lengths[index];
        if (length == Unfinished)
            throw _call.Error("unfinished capture");
        return length == PositionCapture
            ? new LuaValue(_starts[index] + 1.0)
            : new LuaValue(_call.State.Heap.NewString(_text.Slice(_starts[index], length)));
    }

    /// <summary>Appends a capture as <see cref="Capture"/> gives it, without a string of its own.</summary>
    public readonly void AppendCapture(ByteBuilder result, int index, int start, int end)
    {
        bool isText = index < _level ? _lengths[index] >= 0 : index == 0;
        if (isText)
            result.Append(index < _level ? _text.Slice(_starts[index], _lengths[index]) : _text[start..end]);
        else
            result.Append(_call.State.ToText(Capture(index, start, end).Number).Span);
    }

    /// <summary>Pushes all captures, or the whole match if there are none and <paramref name="orWhole"/>.</summary>
    public readonly int PushCaptures(int start, int end, bool orWhole)
    {
        int count = _level == 0 && orWhole ? 1 : _level;
        for (int i = 0; i < count; i++)
            _call.Thread.Push(Capture(i, start, end));
        return count;
    }

    // Counts steps; those that are left at the end are too few to matter.
    private void Count(int steps)
    {
        _steps += steps;
        if (_steps < StepsPerCharge)
            return;
        _call.State.ChargeInstructions(_steps);
        _steps = 0;
    }

    // What it takes to find the end of an item and to compare a byte with it: only sets have more than two bytes.
    private static int WeightOf(int p, int itemEnd) => 1 + ((itemEnd - p) >> 2);

    private int Match(int s, int p)
    {
        if (++_depth > MaxDepth)
            throw _call.Error("pattern too complex");
        int result = MatchItems(s, p);
        _depth--;
        return result;
    }

    private int MatchItems(int s, int p)
    {
        while (p < _pattern.Length)
        {
            Count(1);
            switch (_pattern[p])
            {
                case (byte)'(':
                    return PatternAt(p + 1) == ')' ? StartCapture(s, p + 2, PositionCapture) : StartCapture(s, p + 1, Unfinished);
                case (byte)')':
                    return EndCapture(s, p + 1);
                case (byte)'$' when p + 1 == _pattern.Length:
                    return s == _text.Length ? s : Failed;
                case (byte)'%' when PatternAt(p + 1) == 'b':
                    s = MatchBalance(s, p + 2);
                    if (s == Failed)
                        return Failed;
                    p += 4;
                    continue;
                case (byte)'%' when PatternAt(p + 1) == 'f':
                {
                    p += 2;
                    if (PatternAt(p) != '[')
                        throw _call.Error("missing '[' after '%f' in pattern");
                    int end = ClassEnd(p);
                    Count(2 * WeightOf(p, end));
                    byte previous = s == 0 ? (byte)0 : _text[s - 1];
                    byte next = s < _text.Length ? _text[s] : (byte)0;
                    if (MatchesSet(previous, p, end - 1) || !MatchesSet(next, p, end - 1))
                        return Failed;
                    p = end;
                    continue;
                }

                case (byte)'%' when PatternAt(p + 1) is >= '0' and <= '9':
                    s = MatchCapture(s, PatternAt(p + 1));
                    if (s == Failed)
                        return Failed;
                    p += 2;
                    continue;
            }

            int itemEnd = ClassEnd(p);
            if (itemEnd - p > 2)
                Count(WeightOf(p, itemEnd));
            switch (PatternAt(itemEnd))
            {
                case '?':
                    if (MatchesOne(s, p, itemEnd))
                    {
                        int result = Match(s + 1, itemEnd + 1);
                        if (result != Failed)
                            return result;
                    }

                    p = itemEnd + 1;
                    continue;
                case '*':
                    return MatchMost(s, p, itemEnd);
                case '+':
                    return MatchesOne(s, p, itemEnd) ? MatchMost(s + 1, p, itemEnd) : Failed;
                case '-':
                    return MatchFewest(s, p, itemEnd);
                default:
                    if (!MatchesOne(s, p, itemEnd))
                        return Failed;
                    s++;
                    p = itemEnd;
                    continue;
            }
        }

        return s;
    }

    private readonly int PatternAt(int p) => p < _pattern.Length ? _pattern[p] : 0;

    private int MatchMost(int s, int p, int itemEnd)
    {
        int count = 0;
        int weight = WeightOf(p, itemEnd);
        while (MatchesOne(s + count, p, itemEnd))
        {
            if (++count % ScanBytes == 0)
                ChargeScan(ScanBytes, weight);
        }

        ChargeScan(count % ScanBytes, weight);
        for (; count >= 0; count--)
        {
            int result = Match(s + count, itemEnd + 1);
            if (result != Failed)
                return result;
        }

        return Failed;
    }

    private readonly void ChargeScan(int bytes, int weight) =>
        _call.State.ChargeInstructions(((long)bytes * weight) >> ScannedPerInstructionShift);

    private int MatchFewest(int s, int p, int itemEnd)
    {
        int weight = WeightOf(p, itemEnd);
        while (true)
        {
            Count(weight);
            int result = Match(s, itemEnd + 1);
            if (result != Failed)
                return result;
            if (!MatchesOne(s, p, itemEnd))
                return Failed;
            s++;
        }
    }

    private int StartCapture(int s, int p, int kind)
    {
        if (_level >= MaxCaptures)
            throw _call.Error("too many captures");
        _starts[_level] = s;
        _lengths[_level] = kind;
        _level++;
        int result = Match(s, p);
        if (result == Failed)
            _level--;
        return result;
    }

    private int EndCapture(int s, int p)
    {
        int open = _level - 1;
        while (open >= 0 && _lengths[open] != Unfinished)
            open--;
        if (open < 0)
            throw _call.Error("invalid pattern capture");
        _lengths[open] = s - _starts[open];
        int result = Match(s, p);
        if (result == Failed)
            _lengths[open] = Unfinished;
        return result;
    }

    private readonly int MatchCapture(int s, int digit)
    {
        int index = digit - '1';
        if (index < 0 || index >= _level || _lengths[index] == Unfinished)
            throw _call.Error("invalid capture index");
        int length = _lengths[index];
        // A position has no text that could repeat.
        if (length < 0 || _text.Length - s < length)
            return Failed;
        _call.State.ChargeInstructions(length >> ComparedPerInstructionShift);
        return _text.Slice(_starts[index], length).SequenceEqual(_text.Slice(s, length)) ? s + length : Failed;
    }

    private readonly int MatchBalance(int s, int p)
    {
        if (p + 1 >= _pattern.Length)
            throw _call.Error("unbalanced pattern");
        if (s >= _text.Length || _text[s] != _pattern[p])
            return Failed;
        byte open = _pattern[p];
        byte close = _pattern[p + 1];
        int depth = 1;
        for (int i = s + 1; i < _text.Length; i++)
        {
            if ((i - s) % ScanBytes == 0)
                ChargeScan(ScanBytes, weight: 1);
            if (_text[i] == close)
            {
                if (--depth == 0)
                {
                    ChargeScan((i - s) % ScanBytes, weight: 1);
                    return i + 1;
                }
            }
            else if (_text[i] == open)
            {
                depth++;
            }
        }

        ChargeScan((_text.Length - s) % ScanBytes, weight: 1);
        return Failed;
    }

    private readonly int ClassEnd(int p)
    {
        byte first = _pattern[p++];
        if (first == '%')
            return p >= _pattern.Length ? throw _call.Error("malformed pattern (ends with '%')") : p + 1;
        if (first != '[')
            return p;
        if (PatternAt(p) == '^')
            p++;
        do
        {
            if (p >= _pattern.Length)
                throw _call.Error("malformed pattern (missing ']')");
            if (_pattern[p++] == '%' && p < _pattern.Length)
                p++;
        } while (PatternAt(p) != ']');

        return p + 1;
    }

    private readonly bool MatchesOne(int s, int p, int itemEnd)
    {
        if (s >= _text.Length)
            return false;
        byte c = _text[s];
        return _pattern[p] switch
        {
            (byte)'.' => true,
            (byte)'%' => CharacterClass.Matches(c, _pattern[p + 1]),
            (byte)'[' => MatchesSet(c, p, itemEnd - 1),
            byte literal => literal == c,
        };
    }

    // The set from the bracket at p to the closing one at last.
    private readonly bool MatchesSet(byte c, int p, int last)
    {
        bool found = true;
        if (PatternAt(p + 1) == '^')
        {
            found = false;
            p++;
        }

        while (++p < last)
        {
            if (_pattern[p] == '%')
            {
                p++;
                if (CharacterClass.Matches(c, _pattern[p]))
                    return found;
            }
            else if (PatternAt(p + 1) == '-' && p + 2 < last)
            {
                p += 2;
                if (_pattern[p - 2] <= c && c <= _pattern[p])
                    return found;
            }
            else if (_pattern[p] == c)
            {
                return found;
            }
        }

        return !found;
    }

    [System.Runtime.CompilerServices.InlineArray(MaxCaptures)]
    private struct CaptureStarts
    {
        private int _element;
    }
}
