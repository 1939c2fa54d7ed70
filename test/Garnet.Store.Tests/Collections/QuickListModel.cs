// A model of Valkey's lists: the elements of each node, whose sizes are recomputed each time. One thread.
namespace Garnet.Store.Tests.Collections;

/// <summary>A listpack that becomes a quicklist; follows quicklist.c and t_list.c, without regard for speed.</summary>
internal sealed class QuickListModel(int setting)
{
    private readonly List<Node> _nodes = [];
    private bool _isQuickList;

    public List<byte[]> Elements => [.. _nodes.SelectMany(node => node.Elements)];

    public int Count => _nodes.Sum(node => node.Elements.Count);

    public string Encoding => _isQuickList ? "quicklist" : "listpack";

    public int Nodes => _nodes.Count;

    public long Bytes => _nodes.Sum(node => node.Bytes);

    public void Expect(int elements, int bytes)
    {
        long all = _nodes.Count == 0 ? 7 : Bytes;
        _isQuickList |= Exceeds(all + bytes, Count + elements);
    }

    public void Push(byte[] element, bool isFirst)
    {
        int end = isFirst ? 0 : _nodes.Count - 1;
        if (_nodes.Count > 0 && (!_isQuickList || Allows(end, element)))
            _nodes[end].Elements.Insert(isFirst ? 0 : _nodes[end].Elements.Count, element);
        else
            _nodes.Insert(isFirst ? 0 : _nodes.Count, new Node([element], _isQuickList && IsLarge(element)));
    }

    public void Insert(int index, byte[] element, bool isBehind)
    {
        (int at, int offset) = Find(index);
        Node node = _nodes[at];
        if (!_isQuickList)
        {
            node.Elements.Insert(offset + (isBehind ? 1 : 0), element);
            return;
        }

        bool isFull = !Allows(at, element);
        bool isAtTail = isBehind && offset == node.Elements.Count - 1;
        bool isAtHead = !isBehind && offset == 0;
        if (IsLarge(element))
        {
            var large = new Node([element], true);
            if (node.IsPlain || isAtTail || isAtHead)
            {
                _nodes.Insert(isBehind ? at + 1 : at, large);
                return;
            }

            SplitBefore(at, isBehind ? offset + 1 : offset);
            _nodes.Insert(at + 1, large);
        }
        else if (!isFull)
        {
            node.Elements.Insert(offset + (isBehind ? 1 : 0), element);
        }
        else if (isAtTail && Allows(at + 1, element))
        {
            _nodes[at + 1].Elements.Insert(0, element);
        }
        else if (isAtHead && Allows(at - 1, element))
        {
            _nodes[at - 1].Elements.Add(element);
        }
        else if (isAtTail || isAtHead)
        {
            _nodes.Insert(isBehind ? at + 1 : at, new Node([element], false));
        }
        else
        {
            SplitBefore(at, isBehind ? offset + 1 : offset);
            if (isBehind)
                _nodes[at + 1].Elements.Insert(0, element);
            else
                _nodes[at].Elements.Add(element);

            // Merges around the half with the element next to which the new one was inserted.
            MergeAround(_nodes[isBehind ? at : at + 1]);
        }
    }

    public void Set(int index, byte[] element)
    {
        (int at, int offset) = Find(index);
        Node node = _nodes[at];
        if (!node.IsPlain && !(_isQuickList && IsLarge(element)))
        {
            node.Elements[offset] = element;
        }
        else if (node.IsPlain && IsLarge(element))
        {
            node.Elements[0] = element;
        }
        else if (node.IsPlain)
        {
            Insert(index, element, isBehind: true);
            _nodes.Remove(node);
        }
        else
        {
            var large = new Node([element], true);
            if (offset < node.Elements.Count - 1)
                SplitBefore(at, offset + 1);
            _nodes.Insert(at + 1, large);
            node.Elements.RemoveAt(offset);
            if (node.Elements.Count == 0)
                _nodes.Remove(node);
            else
                MergeAround(large);
        }

        Shrink();
    }

    /// <summary>Removes consecutive elements, with the clean-up of every removing command.</summary>
    public void Remove(int index, int count)
    {
        Cut(index, count);
        Shrink();
    }

    public void Trim(int index, int count)
    {
        Cut(index + count, Count - index - count);
        Cut(0, index);
        Shrink();
    }

    public int Remove(byte[] element, int most, bool fromEnd)
    {
        int removed = 0;
        for (int i = fromEnd ? Count - 1 : 0; i >= 0 && i < Count && (most == 0 || removed < most); )
        {
            (int at, int offset) = Find(i);
            bool isMatch = _nodes[at].Elements[offset].AsSpan().SequenceEqual(element);
            if (isMatch)
            {
                Cut(i, 1);
                removed++;
            }

            i +=
                fromEnd ? -1
                : isMatch ? 0
                : 1;
        }

        if (removed > 0)
            Shrink();
        return removed;
    }

    public void Rotate(bool takesFirst, bool putsFirst)
    {
        int index = takesFirst ? 0 : Count - 1;
        byte[] element = Elements[index];
        Cut(index, 1);
        Expect(1, element.Length);
        Push(element, putsFirst);
        Shrink();
    }

    public void Clear()
    {
        _nodes.Clear();
        _isQuickList = false;
    }

    /// <summary>Size of an element in a listpack.</summary>
    private static long SizeOf(byte[] element)
    {
        string text = System.Text.Encoding.Latin1.GetString(element);
        if (long.TryParse(text, out long value) && value.ToString() == text)
        {
            return value is >= 0 and < 128 ? 2
                : value is >= -4096 and < 4096 ? 3
                : value is >= -32768 and < 32768 ? 4
                : value is >= -8388608 and < 8388608 ? 5
                : value == (int)value ? 6
                : 10;
        }

        int header =
            element.Length < 64 ? 1
            : element.Length < 4096 ? 2
            : 5;
        return element.Length
            + header
            + (
                element.Length + header <= 127 ? 1
                : element.Length + header < 16384 ? 2
                : 3
            );
    }

    private long MaxBytes =>
        setting >= 0
            ? 8192
            : setting switch
            {
                -1 => 4096,
                -2 => 8192,
                -3 => 16384,
                -4 => 32768,
                _ => 65536,
            };

    private bool IsLarge(byte[] element) => element.Length > MaxBytes;

    private bool Exceeds(long bytes, int count) => bytes > MaxBytes || (setting >= 0 && count > Math.Max(1, setting));

    private bool Allows(int node, byte[] element) =>
        node >= 0
        && node < _nodes.Count
        && !_nodes[node].IsPlain
        && !IsLarge(element)
        && !Exceeds(_nodes[node].Bytes + element.Length + 8, _nodes[node].Elements.Count + 1);

    private (int Node, int Offset) Find(int index)
    {
        int node = 0;
        while (index >= _nodes[node].Elements.Count)
            index -= _nodes[node++].Elements.Count;
        return (node, index);
    }

    private void SplitBefore(int at, int offset)
    {
        List<byte[]> elements = _nodes[at].Elements;
        _nodes.Insert(at + 1, new Node(elements.GetRange(offset, elements.Count - offset), false));
        elements.RemoveRange(offset, elements.Count - offset);
    }

    private void MergeAround(Node center)
    {
        int at = _nodes.IndexOf(center);
        if (TryMerge(at - 2))
            at--;
        TryMerge(at + 1);
        if (TryMerge(at - 1))
            at--;
        TryMerge(at);
    }

    private bool TryMerge(int left)
    {
        if (left < 0 || left + 1 >= _nodes.Count || _nodes[left].IsPlain || _nodes[left + 1].IsPlain)
            return false;
        if (Exceeds(_nodes[left].Bytes + _nodes[left + 1].Bytes - 7, _nodes[left].Elements.Count + _nodes[left + 1].Elements.Count))
            return false;
        _nodes[left].Elements.AddRange(_nodes[left + 1].Elements);
        _nodes.RemoveAt(left + 1);
        return true;
    }

    private void Cut(int index, int count)
    {
        for (; count > 0; count--)
        {
            (int at, int offset) = Find(index);
            _nodes[at].Elements.RemoveAt(offset);
            if (_nodes[at].Elements.Count == 0)
                _nodes.RemoveAt(at);
        }
    }

    private void Shrink()
    {
        if (_nodes.Count == 0)
            _isQuickList = false;
        if (_nodes.Count == 1 && !_nodes[0].IsPlain && (setting >= 0 ? Count <= Math.Max(1, setting) / 2 : Bytes <= MaxBytes / 2))
            _isQuickList = false;
    }

    private sealed record Node(List<byte[]> Elements, bool IsPlain)
    {
        public long Bytes => IsPlain ? Elements[0].Length : 7 + Elements.Sum(SizeOf);
    }
}
