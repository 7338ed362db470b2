# The step program: the model of the specification, one training step and its measures, as TorchScript text. StepProgram
# fills in the $PLACEHOLDERS (sizes, and the residual rules of the scheme), packs the text into a module and calls it. The
# parameters live in the module, so that a step is one call into native code, whatever the depth.
#
# Shapes: B sequences, T tokens each, D = d_model, H heads of size D / H, F = ff_hidden, V vocabulary, L sub-layers.
class Program(Module):
  __parameters__ = []
  __buffers__ = []
  training : bool
  params : List[Tensor]       # embedding, those of every sub-layer from the input on, final norm, output
  weights : List[Tensor]      # the same storage without gradients: what the optimiser writes, and what plain forwards read
  exp_avg : List[Tensor]      # AdamW's first moment, one per parameter
  exp_avg_sq : List[Tensor]   # AdamW's second moment
  matrices : List[Tensor]     # those of weights, exp_avg and exp_avg_sq that decay: two dimensions
  matrices_m : List[Tensor]
  matrices_v : List[Tensor]
  vectors : List[Tensor]      # and those that do not
  vectors_m : List[Tensor]
  vectors_v : List[Tensor]
  first : List[int]           # first[l]: index in params of sub-layer l's first parameter; first[L]: the final norm
  parts : List[int]           # how many named parameters of equal height each tensor of params holds, stacked
  rope : List[Tensor]         # cos and sin, (T, D / H)
  seen : List[Tensor]         # while watching: x_l of every sub-layer
  tokens : List[Tensor]       # while watching: per sub-layer the sums over channels that the measures are made of
  gains : List[Tensor]        # while watching: mean |gain| of the norm on the residual path, 1 where there is none
  gates : List[Tensor]        # while watching a scheme with trained gates: their statistics, per sub-layer

  # --- building blocks -------------------------------------------------------------------------------------------------

  def rms_norm(self, gain: Tensor, x: Tensor) -> Tensor:
    return torch.rms_norm(x, [x.size(-1)], gain, $EPS)

  # q · cos + rotate_half(q) · sin on the last dimension; x is (B, T, heads, D / H).
  def rotate(self, x: Tensor) -> Tensor:
    cos = torch.unsqueeze(torch.slice(self.rope[0], 0, 0, x.size(1), 1), 1)
    sin = torch.unsqueeze(torch.slice(self.rope[1], 0, 0, x.size(1), 1), 1)
    a, b = torch.chunk(x, 2, -1)
    return x * cos + torch.cat([-b, a], -1) * sin

  def attend(self, q: Tensor, k: Tensor, v: Tensor, wo: Tensor) -> Tensor:
    y = torch.scaled_dot_product_attention(q.transpose(1, 2), k.transpose(1, 2), v.transpose(1, 2), None, 0., True)
    return torch.linear(torch.flatten(y.transpose(1, 2), 2, 3), wo)

  def attention(self, wqkv: Tensor, wo: Tensor, h: Tensor) -> Tensor:
    heads = torch.linear(h, wqkv).view([h.size(0), h.size(1), 3 * $HEADS, $HEAD_DIM])
    qk = self.rotate(torch.slice(heads, 2, 0, 2 * $HEADS, 1))
    q, k = torch.chunk(qk, 2, 2)
    v = torch.slice(heads, 2, 2 * $HEADS, 3 * $HEADS, 1)
    return self.attend(q, k, v, wo)

  # The same with a norm on each of q, k and v (per head, before the rotation).
  def attention_normed(self, wqkv: Tensor, wo: Tensor, q_norm: Tensor, k_norm: Tensor, v_norm: Tensor, h: Tensor) -> Tensor:
    heads = torch.linear(h, wqkv).view([h.size(0), h.size(1), 3 * $HEADS, $HEAD_DIM])
    q, k, v = torch.chunk(heads, 3, 2)
    q = self.rotate(self.rms_norm(q_norm, q))
    k = self.rotate(self.rms_norm(k_norm, k))
    return self.attend(q, k, self.rms_norm(v_norm, v), wo)

  def feed_forward(self, w13: Tensor, w2: Tensor, h: Tensor) -> Tensor:
    a, b = torch.chunk(torch.linear(h, w13), 2, -1)
    return torch.linear(torch.silu(a) * b, w2)

  # --- residual rules of the scheme: each adds one sub-layer to the residual stream ----------------------------------------

$RULES
  # --- watching --------------------------------------------------------------------------------------------------------------

  # Keeps what the measures of one sub-layer are made of: x (entering), the two addends, k (how much of a gradient the carry
  # passes on, per token or for all) and the mean |gain| of the norm that follows.
  def watch(self, x: Tensor, carry: Tensor, transform: Tensor, k: Tensor, gain: Tensor) -> NoneType:
    self.seen.append(x)
    d = x.detach().double()
    c = carry.detach().double()
    t = transform.detach().double()
    row = torch.stack([(d * d).sum(-1), (c * c).sum(-1), (t * t).sum(-1), (c * t).sum(-1), k.expand(x.size(0), x.size(1))])
    self.tokens.append(row.flatten(1))
    self.gains.append(gain)
    return None

  # Mean, standard deviation, minimum, maximum, share below 0.05 and above 0.95, and a 32-bin histogram on [0, 1] of a gate.
  def watch_gate(self, gate: Tensor) -> NoneType:
    t = gate.detach().float()
    low = (t < 0.05).float().mean()
    high = (t > 0.95).float().mean()
    s = torch.stack([t.mean(), torch.std(t, False), t.min(), t.max(), low, high])
    self.gates.append(torch.cat([s, torch.histc(t, 32, 0., 1.) / t.numel()]))
    return None

  def forget(self) -> NoneType:
    self.seen = annotate(List[Tensor], [])
    self.tokens = annotate(List[Tensor], [])
    self.gains = annotate(List[Tensor], [])
    self.gates = annotate(List[Tensor], [])
    return None

  # The measures of all watched sub-layers, (14, L), in the order of StepProgram.MEASURES.
  def measures(self) -> Tensor:
    rows = annotate(List[Tensor], [])
    d = float($D)
    for l in range(len(self.tokens)):
      x2, c2, t2, ct, k = torch.unbind(self.tokens[l])
      z2 = (c2 + t2 + 2. * ct) / d
      sum2 = c2 + t2
      gate = torch.sqrt(c2 / sum2)
      normed = self.gains[l].double()
      factor = k.mean()
      if float(normed) >= 0.:
        factor = (k / torch.sqrt(torch.clamp(z2, 0.) + $EPS)).mean() * normed
      quantiles = torch.quantile(gate, torch.tensor([0., 0.05, 0.5, 0.95, 1.], dtype=7, device=gate.device))
      rows.append(torch.stack([
        torch.sqrt(x2.mean() / d), torch.sqrt(c2.mean() / d), torch.sqrt(t2.mean() / d),
        gate.mean(), torch.std(gate, False),
        quantiles[0], quantiles[1], quantiles[2], quantiles[3], quantiles[4],
        torch.sqrt(t2 / sum2).mean(), (ct / torch.sqrt(c2 * t2)).mean(), factor, k.mean()]))
    return torch.stack(rows, 1)

  # --- the model -------------------------------------------------------------------------------------------------------------

  # ids (B, T) to logits (B, T, V); p is params (with gradients) or weights (without).
  def logits(self, p: List[Tensor], ids: Tensor, watch: bool, skip: int) -> Tensor:
    x = torch.embedding(p[0], ids)
$BLOCKS
    if watch:
      self.seen.append(x)
    return torch.linear(self.rms_norm(p[-2], x), p[-1])

  def loss_of(self, logits: Tensor, targets: Tensor) -> Tensor:
    return torch.cross_entropy_loss(torch.flatten(logits, 0, 1), torch.flatten(targets), None, 1, -100, 0.)

  # --- what StepProgram calls ------------------------------------------------------------------------------------------------

  def init(self, params: List[Tensor], first: Tensor, parts: Tensor, rope_length: Tensor) -> Tensor:
    # Copies: the tensors given may stand on Java's memory, which is gone once Java collects their buffers.
    for p in params:
      w = p.detach().clone()
      self.weights.append(w)
      self.params.append(w.detach().requires_grad_(True))
      m = torch.zeros_like(w)
      v = torch.zeros_like(w)
      self.exp_avg.append(m)
      self.exp_avg_sq.append(v)
      if w.dim() == 2:
        self.matrices.append(w)
        self.matrices_m.append(m)
        self.matrices_v.append(v)
      else:
        self.vectors.append(w)
        self.vectors_m.append(m)
        self.vectors_v.append(v)
    self.first = annotate(List[int], first.tolist())
    self.parts = annotate(List[int], parts.tolist())
    n = int(rope_length.item())
    device = params[0].device
    inverse = torch.pow(torch.tensor($ROPE_BASE, dtype=7), torch.arange(0, $HEAD_DIM, 2, dtype=7) * (-1. / $HEAD_DIM))
    angles = torch.outer(torch.arange(n, dtype=7), inverse)
    angles = torch.cat([angles, angles], -1)
    dtype = params[0].dtype
    self.rope = [torch.cos(angles).to(dtype).to(device), torch.sin(angles).to(dtype).to(device)]
    return torch.tensor(len(self.params))

  # The norm of every named parameter's part of the given tensors.
  def part_norms(self, tensors: List[Tensor]) -> Tensor:
    pieces = annotate(List[Tensor], [])
    for i in range(len(tensors)):
      n = self.parts[i]
      if n == 1:
        pieces.append(tensors[i])
      else:
        for piece in torch.chunk(tensors[i], n, 0):
          pieces.append(piece)
    return torch.stack(torch._foreach_norm(pieces, 2))

  # One step of the recipe. ids and targets: (A, B, T), A micro-batches whose gradients are averaged. hyper (float64, on the
  # CPU): lr, beta1, beta2, eps, weight decay, clip norm, step number from 1, update (0: measure only), watch.
  # Returns [loss, total gradient norm], the gradient norm of every named parameter, and when watching: the measures (14, L),
  # activation gradient norms (L + 1), norms of every named parameter and of its update, and the gates' statistics (L, 38).
  def step(self, ids: Tensor, targets: Tensor, hyper: Tensor) -> List[Tensor]:
    h = annotate(List[float], hyper.tolist())
    watch = h[8] > 0.
    labels = targets.long()
    micro = ids.size(0)
    self.forget()
    grads = annotate(List[Tensor], [])
    loss_sum = torch.zeros([], dtype=7, device=ids.device)
    activation_norms = annotate(List[Tensor], [])
    for a in range(micro):
      watch_now = watch and a == micro - 1
      loss = self.loss_of(self.logits(self.params, torch.select(ids, 0, a), watch_now, -1), torch.select(labels, 0, a))
      loss_sum = loss_sum + loss.detach()
      got = annotate(List[Tensor], [])
      for g in torch.autograd.grad([loss], self.params + self.seen):
        got.append(unchecked_cast(Tensor, g))
      n = len(self.params)
      if watch_now:
        activation_norms = torch._foreach_norm(torch.slice(got, n, len(got), 1), 2)
        self.seen = annotate(List[Tensor], [])
        got = torch.slice(got, 0, n, 1)
      if a == 0:
        grads = got
      else:
        torch._foreach_add_(grads, got)
    if micro > 1:
      torch._foreach_mul_(grads, 1. / micro)
    norms = self.part_norms(grads)
    total = torch.sqrt((norms.double() * norms.double()).sum())
    mean_loss = loss_sum / micro
    out = [torch.stack([mean_loss, total]), norms]
    if watch:
      out.append(self.measures())
      out.append(torch.stack(activation_norms))
    if h[7] > 0.:
      before = annotate(List[Tensor], [])
      if watch:
        for w in self.weights:
          before.append(w.clone())
      self.adamw(grads, total, mean_loss, h)
      if watch:
        out.append(self.part_norms(self.weights))
        out.append(self.part_norms(torch._foreach_sub(self.weights, before)))
    if watch and len(self.gates) > 0:
      out.append(torch.stack(self.gates))
    self.forget()
    return out

  # AdamW with decoupled weight decay on tensors of two dimensions, on gradients clipped to a total norm. Nothing is changed
  # where the loss or a gradient is not finite. (The lists written to are attributes: PyTorch drops a write to the elements of
  # a list that was made on the spot.)
  def adamw(self, grads: List[Tensor], total: Tensor, loss: Tensor, h: List[float]) -> NoneType:
    torch._foreach_mul_(grads, torch.clamp(h[5] * torch.reciprocal(total + 1e-6), None, 1.).to(grads[0].dtype))
    bad = torch.logical_not(torch.isfinite(total + loss)).float()
    time = torch.tensor(h[6], dtype=6, device=total.device)
    matrix_grads = annotate(List[Tensor], [])
    vector_grads = annotate(List[Tensor], [])
    matrix_time = annotate(List[Tensor], [])
    vector_time = annotate(List[Tensor], [])
    for g in grads:
      if g.dim() == 2:
        matrix_grads.append(g)
        matrix_time.append(time)
      else:
        vector_grads.append(g)
        vector_time.append(time)
    none = annotate(List[Tensor], [])
    torch._fused_adamw_(self.matrices, matrix_grads, self.matrices_m, self.matrices_v, none, matrix_time, lr=h[0], beta1=h[1], beta2=h[2], weight_decay=h[4], eps=h[3], amsgrad=False, maximize=False, grad_scale=None, found_inf=bad)
    torch._fused_adamw_(self.vectors, vector_grads, self.vectors_m, self.vectors_v, none, vector_time, lr=h[0], beta1=h[1], beta2=h[2], weight_decay=0., eps=h[3], amsgrad=False, maximize=False, grad_scale=None, found_inf=bad)
    return None

  # Sum of the losses over the targets that count, their number, and how many of them were the most likely token. skip: a
  # sub-layer to leave out (x passes it unchanged), or −1.
  def evaluate(self, ids: Tensor, targets: Tensor, skip: Tensor) -> Tensor:
    logits = self.logits(self.weights, ids, False, int(skip.item()))
    labels = targets.long()
    counted = labels != -100
    n = counted.sum()
    right = torch.logical_and(torch.argmax(logits, -1) == labels, counted).sum()
    return torch.stack([self.loss_of(logits, labels).double() * n, n.double(), right.double()])

  # Logits of every position, (B, T, V).
  def predict(self, ids: Tensor) -> Tensor:
    return self.logits(self.weights, ids, False, -1)

  # One named parameter's part of the state: where is [0 the parameter, 1 AdamW's first moment, 2 its second; index of the
  # tensor; number of the part in it].
  def part_of(self, where: Tensor) -> Tensor:
    kind, i, part = annotate(List[int], where.tolist())
    t = self.weights[i]
    if kind == 1:
      t = self.exp_avg[i]
    if kind == 2:
      t = self.exp_avg_sq[i]
    if self.parts[i] > 1:
      t = torch.chunk(t, self.parts[i], 0)[part]
    return t

  def read(self, where: Tensor) -> Tensor:
    return self.part_of(where).clone()

  def write(self, where: Tensor, value: Tensor) -> Tensor:
    return torch.copy_(self.part_of(where), value)
