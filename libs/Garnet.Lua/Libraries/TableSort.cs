// table.sort. Used by the thread that runs the state.
using Garnet.Lua.Execution;
using Garnet.Lua.Values;

namespace Garnet.Lua.Libraries;

/// <summary>
/// Quicksort with the median of three, which compares and exchanges in the order of Lua 5.1, so that unstable sorts give its results. An
/// order function that contradicts itself ends the sort with an error when it leads out of the range.
/// </summary>
internal readonly struct TableSort(NativeCall call, LuaTable table, LuaValue order)
{
    /// <summary>
    /// Sorts the elements from <paramref name="low"/> to <paramref name="high"/>; the recursion is only as deep as their logarithm.
    /// </summary>
    public void Run(int low, int high)
    {
        while (low < high)
        {
            if (IsLess(table.Get(high), table.Get(low)))
                Swap(low, high);
            if (high - low == 1)
                return;
            int middle = (int)(((long)low + high) / 2);
            if (IsLess(table.Get(middle), table.Get(low)))
                Swap(middle, low);
            else if (IsLess(table.Get(high), table.Get(middle)))
                Swap(middle, high);
            if (high - low == 2)
                return;
            int pivotPosition = Partition(low, high, middle);

            // The smaller part by recursion, the larger one by the loop.
            if (pivotPosition - low < high - pivotPosition)
            {
                Run(low, pivotPosition - 1);
                low = pivotPosition + 1;
            }
            else
            {
                Run(pivotPosition + 1, high);
                high = pivotPosition - 1;
            }
        }
    }

    private int Partition(int low, int high, int middle)
    {
        LuaValue pivot = table.Get(middle);
        Swap(middle, high - 1);
        int i = low;
        int j = high - 1;
        while (true)
        {
            while (IsLess(table.Get(++i), pivot))
            {
                if (i > high)
                    throw call.Error("invalid order function for sorting");
            }

            while (IsLess(pivot, table.Get(--j)))
            {
                if (j < low)
                    throw call.Error("invalid order function for sorting");
            }

            if (j < i)
                break;
            Swap(i, j);
        }

        Swap(high - 1, i);
        return i;
    }

    private void Swap(int a, int b)
    {
        LuaValue first = table.Get(a);
        table.Set(a, table.Get(b));
        table.Set(b, first);
    }

    private bool IsLess(LuaValue left, LuaValue right)
    {
        LuaThread thread = call.Thread;
        call.State.ChargeInstructions(1);
        if (order.IsNil)
        {
            if (left.IsNumber && right.IsNumber)
                return left.Number < right.Number;
            FrameCaller caller = thread.NativeCaller;
            thread.NativeCaller = FrameCaller.Native;
            bool less = Operations.Less(thread, left, right);
            thread.NativeCaller = caller;
            return less;
        }

        int top = thread.Top;
        thread.Push(order);
        thread.Push(left);
        thread.Push(right);
        thread.Call(top, 2, 1, FrameCaller.Native);
        thread.Top = top;
        return thread.Stack[top].IsTruthy;
    }
}
