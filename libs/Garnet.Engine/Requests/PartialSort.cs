// Sorting of a part of a sequence, with the same order of equal elements as in Valkey. Stateless.
using System.Numerics;

namespace Garnet.Engine.Requests;

/// <summary>
/// The quicksort of Bentley and McIlroy ("Engineering a Sort Function", 1993), which skips partitions outside of the requested part. It is
/// not stable: which of two equal elements comes first, and so which one is cut off, follows from its steps, and is visible to clients.
/// Adversarial inputs are sorted by another algorithm once the cost exceeds several times the usual one; the order of equal elements is
/// then arbitrary.
/// </summary>
internal static class PartialSort
{
    private const int SmallCount = 7;
    private const int LargeCount = 40;
    private const int MaxTimesUsualEffort = 4;

    /// <summary>
    /// Puts the elements from <paramref name="first"/> to <paramref name="last"/>, inclusive, into their sorted positions.
    /// </summary>
    public static void Sort<T>(Span<T> items, int first, int last, Comparison<T> order)
    {
        long effort = (long)MaxTimesUsualEffort * items.Length * (BitOperations.Log2((uint)items.Length) + 1);
        Sort(items, first, last, order, ref effort);
    }

    // The recursion handles the smaller of two parts, so that no input makes it deep.
    private static void Sort<T>(Span<T> items, int first, int last, Comparison<T> order, ref long effort)
    {
        while (items.Length >= SmallCount)
        {
            effort -= items.Length;
            if (effort < 0)
            {
                items.Sort(order);
                return;
            }

            (int less, int greater) = Partition(items, order);
            int skipped = items.Length - greater;
            bool wantsLess = less > 1 && first < less && last >= 0;
            bool wantsGreater = greater > 1 && first < items.Length && last >= skipped;
            if (wantsLess && wantsGreater && less < greater)
                Sort(items[..less], first, last, order, ref effort);
            else if (wantsLess && wantsGreater)
                Sort(items[skipped..], first - skipped, last - skipped, order, ref effort);

            if (wantsGreater && (!wantsLess || less < greater))
            {
                items = items[skipped..];
                (first, last) = (first - skipped, last - skipped);
            }
            else if (wantsLess)
            {
                items = items[..less];
            }
            else
            {
                return;
            }
        }

        InsertionSort(items, order);
    }

    private static void InsertionSort<T>(Span<T> items, Comparison<T> order)
    {
        for (int i = 1; i < items.Length; i++)
        {
            for (int j = i; j > 0 && order(items[j - 1], items[j]) > 0; j--)
                Swap(items, j - 1, j);
        }
    }

    // Elements equal to the pivot are collected at both ends, and then moved between the smaller and the greater ones.
    private static (int Less, int Greater) Partition<T>(Span<T> items, Comparison<T> order)
    {
        Swap(items, 0, Pivot(items, order));
        int low = 1,
            equalLow = 1,
            high = items.Length - 1,
            equalHigh = high,
            compared;
        while (true)
        {
            for (; low <= high && (compared = order(items[low], items[0])) <= 0; low++)
            {
                if (compared == 0)
                    Swap(items, equalLow++, low);
            }

            for (; low <= high && (compared = order(items[high], items[0])) >= 0; high--)
            {
                if (compared == 0)
                    Swap(items, high, equalHigh--);
            }

            if (low > high)
                break;
            Swap(items, low++, high--);
        }

        int less = low - equalLow,
            greater = equalHigh - high;
        int moved = Math.Min(equalLow, less);
        SwapRuns(items, 0, low - moved, moved);
        moved = Math.Min(greater, items.Length - 1 - equalHigh);
        SwapRuns(items, low, items.Length - moved, moved);
        return (less, greater);
    }

    private static int Pivot<T>(ReadOnlySpan<T> items, Comparison<T> order)
    {
        int middle = items.Length / 2;
        if (items.Length == SmallCount)
            return middle;
        int low = 0,
            high = items.Length - 1;
        if (items.Length > LargeCount)
        {
            int step = items.Length / 8;
            low = Median(items, low, low + step, low + (2 * step), order);
            middle = Median(items, middle - step, middle, middle + step, order);
            high = Median(items, high - (2 * step), high - step, high, order);
        }

        return Median(items, low, middle, high, order);
    }

    private static int Median<T>(ReadOnlySpan<T> items, int a, int b, int c, Comparison<T> order)
    {
        if (order(items[a], items[b]) < 0)
        {
            return order(items[b], items[c]) < 0 ? b
                : order(items[a], items[c]) < 0 ? c
                : a;
        }

        return order(items[b], items[c]) > 0 ? b
            : order(items[a], items[c]) < 0 ? a
            : c;
    }

    private static void SwapRuns<T>(Span<T> items, int a, int b, int count)
    {
        for (int i = 0; i < count; i++)
            Swap(items, a + i, b + i);
    }

    private static void Swap<T>(Span<T> items, int a, int b) => (items[a], items[b]) = (items[b], items[a]);
}
