// Operations of compiled code beyond the fast paths: conversions and metamethods. Used by the thread that runs the state.
using Garnet.Lua.Values;

namespace Garnet.Lua.Execution;

/// <summary>
/// What an operator does with values of any type. Metamethods may run code and move the stack, so results are returned as values.
/// </summary>
internal static class Operations
{
    private const int MaxMetaSteps = 100;

    // Comparing longer texts counts as work.
    private const int LongText = 256;
    private const int ShortNumber = 64;
    private const int BytesPerInstructionShift = 5;

    public static LuaValue Index(LuaThread thread, LuaValue value, in LuaValue key)
    {
        for (int step = 0; step < MaxMetaSteps; step++)
        {
            LuaValue metamethod;
            if (value.Object is LuaTable table)
            {
                LuaValue found = table.Get(key);
                CheckBudget(thread.State);
                if (!found.IsNil)
                    return found;
                metamethod = Metamethods.Find(table.Metatable, MetaEvent.Index);
                if (metamethod.IsNil)
                    return LuaValue.Nil;
            }
            else
            {
                metamethod = Metamethods.Find(thread.State, value, MetaEvent.Index);
                if (metamethod.IsNil)
                {
                    throw step == 0
                        ? OperandErrors.Index(thread, value)
                        : thread.Error($"attempt to index a {OperandErrors.TypeName(value)} value");
                }
            }

            if (metamethod.Type == LuaType.Function)
                return Metamethods.Call(thread, metamethod, value, key);
            value = metamethod;
        }

        throw thread.Error("loop in gettable");
    }

    public static void SetIndex(LuaThread thread, LuaValue target, in LuaValue key, in LuaValue value)
    {
        for (int step = 0; step < MaxMetaSteps; step++)
        {
            LuaValue metamethod;
            if (target.Object is LuaTable table)
            {
                if (table.IsReadOnly)
                    throw thread.Error("Attempt to modify a readonly table");
                CheckKey(thread, key);
                CheckBudget(thread.State);
                ref LuaValue place = ref table.Place(key);
                if (!place.IsNil || table.Metatable is null)
                {
                    place = value;
                    return;
                }

                metamethod = Metamethods.Find(table.Metatable, MetaEvent.NewIndex);
                if (metamethod.IsNil)
                {
                    place = value;
                    return;
                }
            }
            else
            {
                metamethod = Metamethods.Find(thread.State, target, MetaEvent.NewIndex);
                if (metamethod.IsNil)
                {
                    throw step == 0
                        ? OperandErrors.Index(thread, target)
                        : thread.Error($"attempt to index a {OperandErrors.TypeName(target)} value");
                }
            }

            if (metamethod.Type == LuaType.Function)
            {
                Metamethods.Call(thread, metamethod, target, key, value);
                return;
            }

            target = metamethod;
        }

        throw thread.Error("loop in settable");
    }

    /// <exception cref="LuaException">The key cannot be in a table.</exception>
    public static void CheckKey(LuaThread thread, in LuaValue key)
    {
        if (key.Object is null)
        {
            if (double.IsNaN(key.Number))
                throw thread.Error("table index is NaN");
        }
        else if (key.IsNil)
        {
            throw thread.Error("table index is nil");
        }
    }

    public static LuaValue Arithmetic(LuaThread thread, MetaEvent operation, LuaValue left, LuaValue right)
    {
        if (TryToNumber(thread.State, left, out double a) && TryToNumber(thread.State, right, out double b))
            return new LuaValue(Compute(operation, a, b));
        LuaValue metamethod = FindBinary(thread.State, left, right, operation);
        return metamethod.IsNil ? throw OperandErrors.Arithmetic(thread, left, right) : Metamethods.Call(thread, metamethod, left, right);
    }

    public static double Compute(MetaEvent operation, double left, double right) =>
        operation switch
        {
            MetaEvent.Add => left + right,
            MetaEvent.Subtract => left - right,
            MetaEvent.Multiply => left * right,
            MetaEvent.Divide => left / right,
            MetaEvent.Modulo => left - (Math.Floor(left / right) * right),
            MetaEvent.Power => Math.Pow(left, right),
            _ => -left,
        };

    public static LuaValue Length(LuaThread thread, LuaValue value)
    {
        if (value.Object is LuaTable table)
            return new LuaValue((double)table.Length);
        if (value.Object is LuaString text)
            return new LuaValue((double)text.Length);
        LuaValue metamethod = Metamethods.Find(thread.State, value, MetaEvent.Length);
        return metamethod.IsNil ? throw OperandErrors.Length(thread, value) : Metamethods.Call(thread, metamethod, value, LuaValue.Nil);
    }

    public static bool Equal(LuaThread thread, LuaValue left, LuaValue right)
    {
        CountComparison(thread.State, left, right);
        if (LuaValue.RawEquals(left, right))
            return true;
        LuaTable? first = left.Object is LuaTable a && right.Object is LuaTable ? a.Metatable : (left.Object as LuaUserdata)?.Metatable;
        if (first is null)
            return false;
        LuaValue metamethod = SharedMetamethod(first, Metamethods.MetatableOf(thread.State, right), MetaEvent.Equal);
        return !metamethod.IsNil && Metamethods.Call(thread, metamethod, left, right).IsTruthy;
    }

    public static bool Less(LuaThread thread, LuaValue left, LuaValue right)
    {
        if (left.Object is null && right.Object is null)
            return left.Number < right.Number;
        CountComparison(thread.State, left, right);
        if (left.Object is LuaString a && right.Object is LuaString b)
            return a.CompareTo(b) < 0;
        if (left.Type != right.Type)
            throw OperandErrors.Compare(thread, left, right);
        return TryOrder(thread, left, right, MetaEvent.Less, out bool result) ? result : throw OperandErrors.Compare(thread, left, right);
    }

    public static bool LessEqual(LuaThread thread, LuaValue left, LuaValue right)
    {
        if (left.Object is null && right.Object is null)
            return left.Number <= right.Number;
        CountComparison(thread.State, left, right);
        if (left.Object is LuaString a && right.Object is LuaString b)
            return a.CompareTo(b) <= 0;
        if (left.Type != right.Type)
            throw OperandErrors.Compare(thread, left, right);
        if (TryOrder(thread, left, right, MetaEvent.LessEqual, out bool result))
            return result;
        return TryOrder(thread, right, left, MetaEvent.Less, out result) ? !result : throw OperandErrors.Compare(thread, left, right);
    }

    /// <summary>Concatenates the values in consecutive registers, from the right, as many strings at once as there are.</summary>
    public static LuaValue Concatenate(LuaThread thread, int first, int count)
    {
        int last = first + count - 1;
        while (last > first)
        {
            LuaValue right = thread.Stack[last];
            LuaValue left = thread.Stack[last - 1];
            if (left.Object is not (null or LuaString) || right.Object is not (null or LuaString))
            {
                LuaValue metamethod = FindBinary(thread.State, left, right, MetaEvent.Concatenate);
                if (metamethod.IsNil)
                {
                    int culprit = left.Object is null or LuaString ? last : last - 1;
                    throw OperandErrors.Concatenate(thread, thread.Stack[culprit], culprit - first);
                }

                LuaValue result = Metamethods.Call(thread, metamethod, left, right);
                thread.Stack[--last] = result;
                continue;
            }

            int begin = last - 1;
            while (begin > first && thread.Stack[begin - 1].Object is null or LuaString)
                begin--;
            thread.Stack[begin] = new LuaValue(Join(thread.State, thread.Stack.AsSpan(begin, last - begin + 1)));
            last = begin;
        }

        return thread.Stack[first];
    }

    private static LuaString Join(LuaState state, Span<LuaValue> parts)
    {
        long length = 0;
        foreach (ref LuaValue part in parts)
        {
            if (part.Object is null)
                part = new LuaValue(state.ToText(part.Number));
            length += ((LuaString)part.Object!).Length;
        }

        if (length > LuaHeap.MaxStringBytes)
            throw state.Current.Error("string length overflow");
        if (length == 0)
            return LuaString.Empty;
        LuaString joined = state.Heap.NewString((int)length, out Span<byte> content);
        foreach (ref LuaValue part in parts)
        {
            ReadOnlySpan<byte> bytes = ((LuaString)part.Object!).Span;
            bytes.CopyTo(content);
            content = content[bytes.Length..];
        }

        return joined;
    }

    /// <summary>The number that a value is or contains; reading a long text counts as work.</summary>
    public static bool TryToNumber(LuaState state, in LuaValue value, out double number)
    {
        if (value.Object is LuaString { Length: > ShortNumber } text)
            state.ChargeInstructions(text.Length >> 2);
        return NumberText.TryConvert(value, out number);
    }

    /// <summary>Counts the comparison of two long texts as work before it is done.</summary>
    public static void CountComparison(LuaState state, in LuaValue left, in LuaValue right)
    {
        if (left.Object is LuaString { Length: > LongText } a && right.Object is LuaString { Length: > LongText } b)
            state.ChargeInstructions(Math.Min(a.Length, b.Length) >> BytesPerInstructionShift);
    }

    // Long searches in tables are counted where the script cannot be stopped.
    private static void CheckBudget(LuaState state)
    {
        if (state.Budget < 0)
            state.OnBudgetSpent();
    }

    private static LuaValue FindBinary(LuaState state, in LuaValue left, in LuaValue right, MetaEvent change)
    {
        LuaValue metamethod = Metamethods.Find(state, left, change);
        return metamethod.IsNil ? Metamethods.Find(state, right, change) : metamethod;
    }

    // Comparisons use a metamethod only if both operands define the same.
    private static bool TryOrder(LuaThread thread, in LuaValue left, in LuaValue right, MetaEvent change, out bool result)
    {
        result = false;
        LuaValue metamethod = Metamethods.Find(thread.State, left, change);
        if (metamethod.IsNil || !LuaValue.RawEquals(metamethod, Metamethods.Find(thread.State, right, change)))
            return false;
        result = Metamethods.Call(thread, metamethod, left, right).IsTruthy;
        return true;
    }

    private static LuaValue SharedMetamethod(LuaTable? first, LuaTable? second, MetaEvent change)
    {
        LuaValue metamethod = Metamethods.Find(first, change);
        if (metamethod.IsNil || ReferenceEquals(first, second))
            return metamethod;
        return LuaValue.RawEquals(metamethod, Metamethods.Find(second, change)) ? metamethod : LuaValue.Nil;
    }
}
